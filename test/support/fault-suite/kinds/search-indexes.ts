import { expectStatus } from '../../expect.ts';
import { STEADY } from '../steady-cluster.ts';
import type { ResourceKind, Target } from './kind.ts';

interface IndexDocument {
  readonly name: string;
  readonly status: string;
  readonly latestDefinition: { readonly mappings: { readonly dynamic?: boolean } };
}

/** A collection that drivers write to throughout the run. */
const collection = { database: 'ship', collectionName: 'pages' };
const path = ({ project }: Target) => `${project}/clusters/${STEADY}/search/indexes`;
const named = (place: Target, name: string) =>
  `${path(place)}/${collection.database}/${collection.collectionName}/${name}`;
const definitions = {
  all: { mappings: { dynamic: true } },
  some: { mappings: { dynamic: false, fields: { title: { type: 'string' } } } },
};
const definitionOf = (value: string) => definitions[value as keyof typeof definitions];

/**
 * Search indexes. The value of an index names the indexed fields if the index is built. Otherwise, it is the status of
 * the index.
 */
export const searchIndexes: ResourceKind = {
  name: 'search-index',
  values: Object.keys(definitions),
  limit: 3,
  isAsynchronous: true,
  // These events name only the cluster.
  events: {
    created: 'FTS_INDEX_CREATED',
    changed: 'FTS_INDEX_UPDATED',
    deleted: 'FTS_INDEX_DELETED',
    recordsNoOps: true,
  },
  create: (place, name, value) => ({
    method: 'POST',
    path: path(place),
    body: { ...collection, name, definition: definitionOf(value) },
  }),
  change: (place, name, value) => ({
    method: 'PATCH',
    path: named(place, name),
    body: { definition: definitionOf(value) },
  }),
  delete: (place, name) => ({ method: 'DELETE', path: named(place, name) }),
  async list(client, place) {
    const all = expectStatus<IndexDocument[]>(await client.get(path(place)), 200);
    return all.map(({ name, status, latestDefinition }) => ({
      name,
      value: status === 'READY' ? (latestDefinition.mappings.dynamic ? 'all' : 'some') : status,
    }));
  },
};
