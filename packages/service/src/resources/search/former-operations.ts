import { generalFaults } from '../../api/faults.ts';
import { operation } from '../services.ts';
import { knownById, knownIn, rowOf } from './find.ts';
import { presentLegacy } from './present.ts';
import { changed, created, removed } from './requests.ts';
import type { Definition } from './rows.ts';
import { FormerSearchIndex } from './schema.ts';

const READ = 'Project Data Access Read Write or Search Index Editor';
const WRITE = 'Project Data Access Admin or Search Index Editor';

/** What stands beside the definition. */
const others = new Set(['collectionName', 'database', 'name', 'type', 'indexID', 'status', 'links']);

function definitionOf(body: FormerSearchIndex): Definition {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => !others.has(name) && value !== undefined),
  );
}

export const listFormerSearchIndexes = operation({
  id: 'listPlatformSearchIndexesDeprecated',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{databaseName}/{collectionName}',
  summary: 'Lists the search indexes of a collection in their former shape.',
  access: READ,
  reply: FormerSearchIndex,
  list: 'array',
  status: 200,
  reachedFrom: { searchIndex: 'formerSearchIndexes' },
  async handler(call) {
    const { databaseName: database, collectionName: collection } = call.params;
    return (await knownIn(call, { database, collection })).map(presentLegacy);
  },
});

export const createFormerSearchIndex = operation({
  id: 'createPlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes',
  summary: 'Creates a search index from its former shape.',
  access: WRITE,
  body: FormerSearchIndex,
  reply: FormerSearchIndex,
  status: 200,
  async handler(call) {
    const { collectionName: collection, database, name, type = 'search' } = call.body;
    const index = { collection, database, name, type, definition: definitionOf(call.body) };
    return presentLegacy(await created(call, index, ''));
  },
});

export const getFormerSearchIndex = operation({
  id: 'getPlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  summary: 'Answers one search index in its former shape.',
  access: READ,
  reply: FormerSearchIndex,
  status: 200,
  handler: async (call) => presentLegacy(await knownById(call)),
});

export const updateFormerSearchIndex = operation({
  id: 'updatePlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  summary: 'Gives a search index another definition; where it is and how it is called stay.',
  access: WRITE,
  body: FormerSearchIndex,
  reply: FormerSearchIndex,
  status: 200,
  async handler(call) {
    const known = await knownById(call);
    const { collection, database, name, type } = rowOf(known);
    const fixed = { collectionName: collection, database, name, type };
    for (const [field, value] of Object.entries(fixed)) {
      const given = call.body[field as keyof typeof fixed] ?? value;
      if (given !== value) throw generalFaults.ATTRIBUTE_READ_ONLY(field);
    }
    return presentLegacy(await changed(call, known, definitionOf(call.body), ''));
  },
});

export const deleteFormerSearchIndex = operation({
  id: 'deletePlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  summary: 'Deletes a search index; it is gone a little later.',
  access: WRITE,
  status: 204,
  handler: async (call) => removed(call, await knownById(call)),
});
