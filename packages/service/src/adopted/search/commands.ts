import type { Document, MongoClient } from 'mongodb';
import { COMMAND_MS, endingAfter } from '../../replication/limits.ts';
import { wholeList } from '../../replication/lists.ts';
import { orErrorReply, replyOf } from '../connection.ts';
import type { SearchBook, SearchRecord } from './book.ts';
import { isMadeFrom } from './definitions.ts';

/**
 * This file translates the service's commands on search indexes to the commands of drivers. In the service's commands,
 * the service chooses the id and the version of an index. In the commands of drivers, the servers choose them.
 */

interface At {
  readonly client: MongoClient;
  readonly book: SearchBook;
  readonly deploymentId: string;
  readonly database: string;
}

type Send = (at: At, collection: string, command: Document) => Promise<Document>;

const commands: Readonly<Record<string, Send>> = {
  createSearchIndexes: create,
  dropSearchIndex: drop,
  listSearchIndexes: list,
  updateSearchIndex: update,
};

/** Returns the reply to a command that concerns search indexes; undefined for any other command. */
export function searchReply(at: At, command: Document): Promise<Document> | undefined {
  const [[name, collection] = ['', '']] = Object.entries(command);
  return commands[name]?.(at, String(collection), command);
}

const OK = { ok: 1 };
const INDEX_NOT_FOUND = 27;

/** Returns the search indexes of a collection, as the servers describe them. */
function onServers({ client, database }: At, collection: string): Promise<Document[]> {
  const stages = [{ $listSearchIndexes: {} }];
  const found = client.db(database).collection(collection).aggregate(stages, endingAfter(COMMAND_MS));
  return wholeList('search indexes', found);
}

function list(at: At, collection: string): Promise<Document> {
  return orErrorReply(async () => {
    const found = await onServers(at, collection);
    const records = await at.book.of(at.deploymentId);
    const firstBatch = found.map((index) =>
      shown(
        index,
        records.find(({ serverId }) => serverId === String(index.id)),
      ),
    );
    return { ...OK, cursor: { firstBatch } };
  });
}

/** Describes an index with the id and the versions of the service. Servers may omit some fields. */
function shown(index: Document, record: SearchRecord | undefined): Document {
  const shift = record === undefined ? 0 : record.version - record.serverVersion;
  const shifted = (found: Document | undefined) => ({
    version: Math.max(0, Number(found?.version ?? 0) + shift),
    createdAt: found?.createdAt ?? new Date(0),
  });
  const generation = (found: Document) => ({
    ...found,
    definitionVersion: shifted(found.definitionVersion),
  });
  const { statusDetail = [], type = 'search', latestDefinition = {} } = index;
  return {
    ...index,
    id: record?.id ?? String(index.id),
    ...{ type, latestDefinition },
    latestDefinitionVersion: shifted(index.latestDefinitionVersion),
    statusDetail: (statusDetail as Document[]).map(({ mainIndex, stagedIndex, ...host }) => ({
      ...host,
      ...(mainIndex && { mainIndex: generation(mainIndex) }),
      ...(stagedIndex && { stagedIndex: generation(stagedIndex) }),
    })),
  };
}

/** Creates an index, unless an earlier call has created it. */
function create(at: At, collection: string, { indexes: [index] }: Document): Promise<Document> {
  const { id, name, type, definition } = index;
  return orErrorReply(async () => {
    const records = await at.book.of(at.deploymentId);
    const own = records.find((record) => record.id === id);
    const there = await onServers(at, collection);
    if (there.some((one) => String(one.id) === own?.serverId)) return OK;
    // The service may have ended after it had created the index, and before it had stored the id that the servers
    // chose. Find this index by its name and definition.
    const made = there.find((one) => one.name === name && isMadeFrom(definition, one.latestDefinition));
    if (made !== undefined && !records.some(({ serverId }) => serverId === String(made.id))) {
      await at.book.save(at.deploymentId, {
        id,
        serverId: String(made.id),
        version: 0,
        serverVersion: versionIn(made),
      });
      return OK;
    }
    const wanted = { name, definition, ...(type === 'search' ? {} : { type }) };
    const reply = await replyOf(
      at.client,
      { createSearchIndexes: collection, indexes: [wanted] },
      at.database,
    );
    if (reply.ok !== 1) return reply;
    const serverId = String(reply.indexesCreated[0].id);
    const serverVersion = await versionOf(at, collection, serverId);
    await at.book.save(at.deploymentId, { id, serverId, version: 0, serverVersion });
    return OK;
  });
}

const versionIn = (index: Document | undefined) => Number(index?.latestDefinitionVersion?.version ?? 0);

async function versionOf(at: At, collection: string, serverId: string): Promise<number> {
  return versionIn((await onServers(at, collection)).find(({ id }) => String(id) === serverId));
}

async function recordOf({ book, deploymentId }: At, id: string): Promise<SearchRecord | undefined> {
  return (await book.of(deploymentId)).find((record) => record.id === id);
}

/** Changes the definition of an index, unless an earlier call has sent this version. */
function update(at: At, collection: string, { id, definition, version }: Document): Promise<Document> {
  return orErrorReply(async () => {
    const record = await recordOf(at, id);
    if (record !== undefined && record.version >= version) return OK;
    // An index that another client has created has the same id in the API and on the servers.
    const serverId = record?.serverId ?? id;
    const reply = await replyOf(
      at.client,
      { updateSearchIndex: collection, id: serverId, definition },
      at.database,
    );
    if (reply.ok !== 1) return reply;
    const serverVersion = await versionOf(at, collection, serverId);
    await at.book.save(at.deploymentId, { id, serverId, version, serverVersion });
    return OK;
  });
}

async function drop(at: At, collection: string, { id }: Document): Promise<Document> {
  const serverId = (await recordOf(at, id))?.serverId ?? id;
  const reply = await replyOf(at.client, { dropSearchIndex: collection, id: serverId }, at.database);
  if (reply.ok === 1 || reply.code === INDEX_NOT_FOUND) await at.book.remove(at.deploymentId, id);
  return reply;
}
