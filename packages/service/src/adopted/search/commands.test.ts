import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectedServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { Collection, type Document, type MongoClient } from 'mongodb';
import type { SearchBook, SearchRecord } from './book.ts';
import { searchReply } from './commands.ts';

const scope = scopeOf({ after });
let client: MongoClient;
before(async () => {
  ({ client } = await connectedServer(scope));
});

const dynamic = { mappings: { dynamic: true } };
const fields = { mappings: { dynamic: false, fields: { name: { type: 'string' } } } };
const id = 'a'.repeat(24);
const index = { id, name: 'names', type: 'search', definition: dynamic };

/** A book in memory. While `breaks` is true, it fails to store records, as if the service had ended. */
class MemoryBook implements SearchBook {
  readonly records = new Map<string, SearchRecord>();
  breaks = false;

  async of() {
    return [...this.records.values()];
  }

  async save(_: string, record: SearchRecord) {
    if (this.breaks) throw new Error('the service ends');
    this.records.set(record.id, record);
  }

  async remove(_: string, indexId: string) {
    this.records.delete(indexId);
  }
}

/**
 * Creates a collection, and returns functions that send commands of the service and list the indexes of the servers.
 */
async function opened(database: string) {
  const book = new MemoryBook();
  const ships = client.db(database).collection('ships');
  await ships.insertOne({ name: 'Endurance' });
  const send = (command: Document) => searchReply({ client, book, deploymentId: 'x', database }, command);
  const listed = async () => {
    const { cursor } = (await send({ listSearchIndexes: 'ships' })) as Document;
    return (cursor.firstBatch as Document[]).map((one) => [one.id, one.latestDefinitionVersion.version]);
  };
  return { book, send, listed, ships };
}

test('an index keeps its id if the service ends before it stores the id of the servers', async () => {
  const { book, send, listed, ships } = await opened('lookout');
  const create = { createSearchIndexes: 'ships', indexes: [index] };
  book.breaks = true;
  await assert.rejects(send(create) as Promise<Document>, /the service ends/);
  book.breaks = false;
  for (const _ of ['after the end', 'again']) {
    assert.deepEqual(await send(create), { ok: 1 });
    assert.deepEqual(await listed(), [[id, 0]]);
  }
  const [there, ...others] = await ships.listSearchIndexes().toArray();
  assert.deepEqual([others, (there as Document | undefined)?.id === id], [[], false]);
  assert.equal(((await send({ dropSearchIndex: 'ships', id })) as Document).ok, 1);
  assert.equal(((await send({ dropSearchIndex: 'ships', id })) as Document).code, 27);
  assert.deepEqual([book.records.size, await listed()], [0, []]);
});

test('an index keeps its id also if the servers add default values to its definition', async (t) => {
  const { book, send, listed } = await opened('beacon');
  const { aggregate } = Collection.prototype;
  t.mock.method(Collection.prototype, 'aggregate', function (this: Collection, ...given: never[]) {
    const add = (index: Document) => ({
      ...index,
      latestDefinition: { analyzer: 'lucene.standard', ...index.latestDefinition },
    });
    return Reflect.apply(aggregate, this, given).map(add);
  });
  const create = { createSearchIndexes: 'ships', indexes: [index] };
  book.breaks = true;
  await assert.rejects(send(create) as Promise<Document>, /the service ends/);
  book.breaks = false;
  assert.deepEqual(await send(create), { ok: 1 });
  assert.deepEqual(await listed(), [[id, 0]]);
});

test('an index of another client with this name is not taken over', async () => {
  const { book, send, ships } = await opened('buoy');
  await ships.createSearchIndex({ name: 'names', definition: fields });
  const reply = (await send({ createSearchIndexes: 'ships', indexes: [index] })) as Document;
  assert.deepEqual([reply.ok, reply.code, book.records.size], [0, 68, 0]);
});

test('versions follow those of the service, also after rejected changes and changes of other clients', async () => {
  const { book, send, listed, ships } = await opened('reef');
  await send({ createSearchIndexes: 'ships', indexes: [index] });
  const update = (version: number, definition: Document) =>
    send({ updateSearchIndex: 'ships', id, definition, version }) as Promise<Document>;
  const rejected = await update(1, { mappings: { dynamic: 'perhaps' } });
  assert.deepEqual([rejected.ok, await listed()], [0, [[id, 0]]]);
  book.breaks = true;
  await assert.rejects(update(2, fields), /the service ends/);
  book.breaks = false;
  for (const _ of ['after the end', 'again']) {
    assert.equal((await update(2, fields)).ok, 1);
    assert.deepEqual(await listed(), [[id, 2]]);
  }
  await ships.updateSearchIndex('names', dynamic);
  assert.deepEqual(await listed(), [[id, 3]]);
});

test('other commands are not translated, and errors of the servers are returned', async () => {
  const { send } = await opened('quay');
  assert.equal(send({ ping: 1 }), undefined);
  const reply = (await send({ updateSearchIndex: 'lost', id, definition: dynamic, version: 1 })) as Document;
  assert.deepEqual([reply.ok, reply.code], [0, 26]);
});
