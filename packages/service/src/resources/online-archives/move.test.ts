import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Document, deserialize, serialize } from 'bson';
import { moveDocuments } from './move.ts';

const now = new Date('2025-03-12T12:00:00Z');
const criteria = { type: 'CUSTOM', query: '{"kind": "call"}' } as const;

/** Returns a collection that contains a document until it is deleted. */
function collectionOf(documents: readonly Document[]) {
  const commands: Document[] = [];
  let present = documents;
  const runAs = async (_: string, __: object, command: Document | Uint8Array) => {
    // The thread has encoded the command, so the thread of the service does no work on documents.
    assert.ok(command instanceof Uint8Array);
    const parsed = deserialize(command);
    commands.push(parsed);
    if ('find' in parsed) return serialize({ ok: 1, cursor: { firstBatch: present } });
    present = [];
    return serialize({ ok: 1, n: parsed.deletes.length });
  };
  const run = async () => ({ ok: 1, cursor: { firstBatch: present.map(() => ({ found: true })) } });
  return {
    at: { engine: { run, runAs }, clusterId: 'c', database: 'harbour', collection: 'calls' },
    commands,
  };
}

function target() {
  const files = new Map<string, string>();
  const bucket = {
    put: async (key: string, content: Uint8Array) => void files.set(key, gunzipSync(content).toString()),
  };
  return { files, moving: { bucket, goesOn: async () => true } };
}

test('a thread converts the documents, writes them to a file and deletes them', async () => {
  const { at, commands } = collectionOf([{ _id: 1, kind: 'call' }]);
  const { files, moving } = target();
  await moveDocuments(at, { criteria, folder: 'calls/', now }, moving);
  const [[key, text] = assert.fail()] = files;
  assert.match(key, /^calls\/2025-03-12-[0-9a-f]{24}\.json\.gz$/);
  assert.equal(text, '{"_id":{"$numberInt":"1"},"kind":"call"}\n');
  assert.deepEqual(
    commands.map((command) => Object.keys(command)[0]),
    ['find', 'delete', 'find'],
  );
  assert.deepEqual(commands[0]?.filter.$and[0], { kind: 'call' });
});

test('nothing is read if no document matches, or if the run has ended', async () => {
  const { at, commands } = collectionOf([]);
  const { moving } = target();
  await moveDocuments(at, { criteria, folder: 'calls/', now }, moving);
  const full = collectionOf([{ _id: 1 }]);
  await moveDocuments(full.at, { criteria, folder: 'calls/', now }, { ...moving, goesOn: async () => false });
  assert.deepEqual([...commands, ...full.commands], []);
});

test('a failure of the engine or of the bucket ends the run', async () => {
  const { at } = collectionOf([{ _id: 1 }]);
  const { moving } = target();
  const bucket = { put: () => Promise.reject(new Error('the bucket is gone')) };
  const request = { criteria, folder: 'calls/', now };
  await assert.rejects(moveDocuments(at, request, { ...moving, bucket }), /the bucket is gone/);
  const engine = { ...at.engine, runAs: () => Promise.reject(new Error('the host is gone')) };
  await assert.rejects(moveDocuments({ ...at, engine }, request, moving), /the host is gone/);
});
