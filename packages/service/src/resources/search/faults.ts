import { faults } from '@portolan/foundation/faults';

export const searchFaults = faults({
  PLATFORM_FTS_DUPLICATE_INDEX: [409, 'The collection {1} already has a search index {0}.'],
  PLATFORM_FTS_INDEX_NOT_FOUND: [404, 'The search index {0} does not exist.'],
  PLATFORM_FTS_ANALYZER_NAME_NOT_UNIQUE: [400, 'The custom analyzer name {0} is not unique.'],
  TENANT_CANNOT_DEFINE_ANALYZERS: [404, 'A shared-tier cluster cannot define analyzers.'],
  PLATFORM_FTS_ANALYZER_NAME_CANNOT_REUSED: [
    400,
    'The custom analyzer cannot have the name {0}, because a built-in analyzer has this name.',
  ],
  SEARCH_INDEXES_NOT_LISTED: [409, 'The servers of the cluster {0} refuse to list their search indexes: {1}'],
  UNSUPPORTED_DB_VERSION_FOR_FTS: [
    400,
    'Search indexes of this type require database version {1}, but the cluster has version {0}.',
  ],
});
