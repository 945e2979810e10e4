import { generalFaults } from '../../api/faults.ts';
import { operation } from '../services.ts';
import { findIndexes, requireIndexById, rowOf } from './find.ts';
import { presentLegacy, presentLegacyRead } from './present.ts';
import { changeRequested, createRequested, removeRequested } from './requests.ts';
import type { Definition } from './rows.ts';
import { FormerSearchIndex } from './schema.ts';

const READ = 'Project Data Access Read Write or Search Index Editor';
const WRITE = 'Project Data Access Admin or Search Index Editor';

/** Fields of a body that are not part of the definition. */
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
  summary: 'Lists the search indexes of a collection in the legacy shape.',
  access: READ,
  reply: FormerSearchIndex,
  list: 'array',
  status: 200,
  reachedFrom: { searchIndex: 'formerSearchIndexes' },
  async handler(call) {
    const { databaseName: database, collectionName: collection } = call.params;
    return (await findIndexes(call, { database, collection })).map(presentLegacyRead);
  },
});

export const createFormerSearchIndex = operation({
  id: 'createPlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes',
  summary: 'Creates a search index. The body has the legacy shape.',
  access: WRITE,
  body: FormerSearchIndex,
  reply: FormerSearchIndex,
  status: 200,
  async handler(call) {
    const { collectionName: collection, database, name, type } = call.body;
    const index = { collection, database, name, type, definition: definitionOf(call.body) };
    return presentLegacy(await createRequested(call, index, ''));
  },
});

export const getFormerSearchIndex = operation({
  id: 'getPlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'GET',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  summary: 'Returns one search index in the legacy shape.',
  access: READ,
  reply: FormerSearchIndex,
  status: 200,
  handler: async (call) => presentLegacyRead(await requireIndexById(call)),
});

export const updateFormerSearchIndex = operation({
  id: 'updatePlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'PATCH',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  summary:
    'Replaces the definition of a search index. The collection and the name of the index cannot be changed.',
  access: WRITE,
  body: FormerSearchIndex,
  reply: FormerSearchIndex,
  status: 200,
  async handler(call) {
    const known = await requireIndexById(call);
    const { collection, database, name, type } = rowOf(known);
    const fixed = { collectionName: collection, database, name, type };
    for (const [field, value] of Object.entries(fixed)) {
      const given = call.body[field as keyof typeof fixed] ?? value;
      if (given !== value) throw generalFaults.ATTRIBUTE_READ_ONLY(field);
    }
    return presentLegacy(await changeRequested(call, known, definitionOf(call.body), ''));
  },
});

export const deleteFormerSearchIndex = operation({
  id: 'deletePlatformSearchIndexDeprecated',
  tag: 'Platform Search',
  method: 'DELETE',
  path: '/groups/{groupId}/clusters/{clusterName}/fts/indexes/{indexId}',
  summary: 'Deletes a search index. The deletion completes after the response.',
  access: WRITE,
  status: 204,
  handler: async (call) => removeRequested(call, await requireIndexById(call)),
});
