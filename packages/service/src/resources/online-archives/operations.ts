import { extension } from '../services.ts';
import { addArchive, changeArchive, removeArchive } from './changes.ts';
import { type ArchiveRow, archivesOf, pageOfArchives } from './rows.ts';
import { requireArchive, requireArchiving } from './rules.ts';
import { Archive, ArchiveUpdate, NewArchive } from './schema.ts';
import { isPaused } from './states.ts';

const tag = 'Online Archive';
const LIST = '/groups/{groupId}/clusters/{clusterName}/onlineArchives';
const ONE = `${LIST}/{archiveId}` as const;
const writes = 'Project Data Access Admin';
const reads = 'Project Read Only';

function presentArchive(
  { id, groupId, database, collection, settings, state }: ArchiveRow,
  clusterName: string,
) {
  const { criteria, expiration, partitions, region, schedule } = settings;
  return {
    _id: id,
    clusterName,
    collName: collection,
    collectionType: 'STANDARD' as const,
    criteria,
    ...(expiration === undefined ? {} : { dataExpirationRule: expiration }),
    dataProcessRegion: region,
    dbName: database,
    groupId,
    partitionFields: partitions.map(({ fieldName, fieldType = null, order }) => ({
      fieldName,
      fieldType,
      order,
    })),
    paused: isPaused(state),
    schedule,
    state,
  };
}

export const listArchives = extension({
  id: 'listOnlineArchives',
  tag,
  method: 'GET',
  path: LIST,
  summary: 'Lists the online archives of a cluster, oldest first.',
  access: reads,
  reply: Archive,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const cluster = await requireArchiving(tx, call.params);
      const { rows, next } = await pageOfArchives(tx, cluster.id, call.page);
      const totalCount = call.page.includeCount ? (await archivesOf(tx, cluster.id)).length : undefined;
      return { results: rows.map((row) => presentArchive(row, cluster.name)), next, totalCount };
    }),
});

export const createArchive = extension({
  id: 'createOnlineArchive',
  tag,
  method: 'POST',
  path: LIST,
  summary:
    'Creates an online archive, which moves documents of a collection to the oldest export bucket of the project.',
  access: writes,
  body: NewArchive,
  reply: Archive,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const cluster = await requireArchiving(tx, call.params);
      return presentArchive(await addArchive(tx, call.actor, cluster, call.body), cluster.name);
    }),
});

export const getArchive = extension({
  id: 'getOnlineArchive',
  tag,
  method: 'GET',
  path: ONE,
  summary: 'Returns one online archive.',
  access: reads,
  reply: Archive,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { cluster, row } = await requireArchive(tx, call.params);
      return presentArchive(row, cluster.name);
    }),
});

export const updateArchive = extension({
  id: 'updateOnlineArchive',
  tag,
  method: 'PATCH',
  path: ONE,
  summary: 'Changes, pauses or resumes an online archive. Omitted fields keep their values.',
  access: writes,
  body: ArchiveUpdate,
  reply: Archive,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const found = await requireArchive(tx, call.params);
      return presentArchive(await changeArchive(tx, call.actor, found, call.body), found.cluster.name);
    }),
});

export const deleteArchive = extension({
  id: 'deleteOnlineArchive',
  tag,
  method: 'DELETE',
  path: ONE,
  summary: 'Removes an online archive. Archived files stay in the bucket.',
  access: writes,
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const { row } = await requireArchive(tx, call.params);
      await removeArchive(tx, call.actor, row);
    }),
});
