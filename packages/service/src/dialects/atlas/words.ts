import type { FaultWords, Words } from '../../api/dialect/words.ts';

const analyzers = { beginning: { 'lib.': 'lucene.' } };
export const clientIds = { beginning: { db_sa_id_: 'mdb_sa_id_' } };
const limits = { beginning: { 'platform.project.': 'atlas.project.' } };
const roles = { equal: { platformAdmin: 'atlasAdmin' } };
const secrets = { beginning: { db_sa_sk_: 'mdb_sa_sk_' } };
export const eventTypes = {
  equal: {
    DB_ROLE_ADDED: 'MONGODB_ROLE_ADDED',
    DB_ROLE_DELETED: 'MONGODB_ROLE_DELETED',
    DB_ROLE_UPDATED: 'MONGODB_ROLE_UPDATED',
    DB_USER_ADDED: 'MONGODB_USER_ADDED',
    DB_USER_DELETED: 'MONGODB_USER_DELETED',
    DB_USER_UPDATED: 'MONGODB_USER_UPDATED',
  },
};

export const words: Words = {
  fields: {
    dbEmployeeAccessGrant: 'mongoDBEmployeeAccessGrant',
    dbMajorVersion: 'mongoDBMajorVersion',
    dbURI: 'mongoURI',
    dbURIUpdated: 'mongoURIUpdated',
    dbURIWithOptions: 'mongoURIWithOptions',
    dbVersion: 'mongoDBVersion',
    dbdVersion: 'mongodVersion',
    gcpServiceAccountForPlatform: 'gcpServiceAccountForAtlas',
    monitoringApiKey: 'datadogApiKey',
    monitoringRegion: 'datadogRegion',
    platformAWSAccountArn: 'atlasAWSAccountArn',
    platformAssumedRoleExternalId: 'atlasAssumedRoleExternalId',
    platformAzureAppId: 'atlasAzureAppId',
    platformCidrBlock: 'atlasCidrBlock',
  },
  values: {
    GROUP_PLATFORM_ADMIN: 'GROUP_ATLAS_ADMIN',
    PLATFORM_DATA_LAKE: 'ATLAS_DATA_LAKE',
    PLATFORM_MANAGED: 'ATLAS_MANAGED',
    PLATFORM_NODE_TYPE: 'ATLAS_NODE_TYPE',
  },
  more: {
    AZURE_CHINA: ['AZURE_US_GOVERNMENT'],
    COMMERCIAL_FEDRAMP_REGIONS_ONLY: ['NONE'],
    FULLY_WARMED: ['ENHANCED_FULLY_WARMED'],
    PROVISIONED: ['HIGH_PERFORMANCE'],
    S20_HIGHCPU_NVME: ['S10_HIGHCPU'],
    TLS1_2: ['TLS1_3'],
  },
  texts: {
    analyzer: analyzers,
    eventType: eventTypes,
    eventTypeName: eventTypes,
    fieldName: { equal: { PLATFORM_NODE_TYPE: 'ATLAS_NODE_TYPE' } },
    inviterUsername: clientIds,
    maskedSecretValue: secrets,
    searchAnalyzer: analyzers,
    clientId: clientIds,
    secret: secrets,
    name: limits,
    role: roles,
    roleName: roles,
  },
  segments: {
    dbVersions: 'mongoDBVersions',
    ':grantDbEmployeeAccess': ':grantMongoDBEmployeeAccess',
    ':revokeDbEmployeeAccess': ':revokeMongoDBEmployeeAccess',
  },
  parameters: {
    clientId: clientIds,
    eventType: eventTypes,
    excludedEventType: eventTypes,
    limitName: limits,
  },
};

export const faultWords: FaultWords = {
  codes: {
    GROUP_NAME_NOT_FOUND: 'NOT_IN_GROUP',
    INVALID_DB_VERSION_CONFIG: 'INVALID_MONGODB_VERSION_CONFIG',
    DB_VERSION_INVALID: 'MONGODB_VERSION_INVALID',
    ONLINE_ARCHIVE_NOT_FOUND: 'RESOURCE_NOT_FOUND',
    PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST: 'ATLAS_SEARCH_DEPLOYMENT_DOES_NOT_EXIST',
  },
  parts: { PLATFORM: 'ATLAS' },
  texts: {
    INVALID_ENUM_VALUE: 'An invalid enumeration value {0} was specified.',
    MISSING_ATTRIBUTE: 'The required attribute {0} was not specified.',
  },
};
