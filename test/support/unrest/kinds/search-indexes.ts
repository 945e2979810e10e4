import { expectStatus } from '../../expect.ts';
import { STEADY } from '../steady.ts';
import type { Kind, Place } from './kind.ts';

interface Shown {
  readonly name: string;
  readonly status: string;
  readonly latestDefinition: { readonly mappings: { readonly dynamic?: boolean } };
}

/** What is searched is written all the time. */
const collection = { database: 'ship', collectionName: 'pages' };
const path = ({ project }: Place) => `${project}/clusters/${STEADY}/search/indexes`;
const named = (place: Place, name: string) =>
  `${path(place)}/${collection.database}/${collection.collectionName}/${name}`;
const definitions = {
  all: { mappings: { dynamic: true } },
  some: { mappings: { dynamic: false, fields: { title: { type: 'string' } } } },
};
const definitionOf = (value: string) => definitions[value as keyof typeof definitions];

/** The value says which fields are searched, once the index is built. */
export const searchIndexes: Kind = {
  name: 'search-index',
  values: Object.keys(definitions),
  atMost: 3,
  isSlow: true,
  // They name the cluster alone.
  events: {
    made: 'FTS_INDEX_CREATED',
    changed: 'FTS_INDEX_UPDATED',
    removed: 'FTS_INDEX_DELETED',
    tellsSame: true,
  },
  make: (place, name, value) => ({
    method: 'POST',
    path: path(place),
    body: { ...collection, name, definition: definitionOf(value) },
  }),
  change: (place, name, value) => ({
    method: 'PATCH',
    path: named(place, name),
    body: { definition: definitionOf(value) },
  }),
  remove: (place, name) => ({ method: 'DELETE', path: named(place, name) }),
  async list(client, place) {
    const all = expectStatus<Shown[]>(await client.get(path(place)), 200);
    return all.map(({ name, status, latestDefinition }) => ({
      name,
      value: status === 'READY' ? (latestDefinition.mappings.dynamic ? 'all' : 'some') : status,
    }));
  },
};
