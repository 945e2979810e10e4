import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary, Double, Int32, Long, serialize, UUID } from 'bson';
import { deleteUnchanged, exists, nextBatch } from './documents.ts';

type Command = Readonly<Record<string, unknown>>;

const found = (id: number, bytes: number) => ({ line: `{"_id":{"$numberInt":"${id}"}}\n`, bytes });

/** Returns a collection whose documents with the ids `changed` differ from the found ones. */
function collectionWith(changed: readonly number[]) {
  const commands: Command[] = [];
  const runAs = async (_: string, __: object, command: object) => serialize(replyTo(command as Command));
  const replyTo = (command: Command) => {
    commands.push(command);
    const { deletes, filter } = command as {
      deletes?: readonly { q: { _id: { value: number } } }[];
      filter?: { _id: { $in: readonly { value: number }[] } };
    };
    if (deletes) return { ok: 1, n: deletes.filter(({ q }) => !changed.includes(q._id.value)).length };
    const present = filter?._id.$in.filter(({ value }) => changed.includes(value)) ?? [];
    return { ok: 1, cursor: { firstBatch: present.map(({ value }) => ({ _id: value })) } };
  };
  return { at: { engine: { runAs }, clusterId: 'c', database: 'harbour', collection: 'calls' }, commands };
}

test('documents that have changed since they were read are not deleted', async () => {
  const { at, commands } = collectionWith([2]);
  assert.deepEqual(await deleteUnchanged(at, [found(1, 100), found(2, 100)]), [new Int32(2)]);
  const [first = assert.fail()] = (commands[0]?.deletes ?? []) as Command[];
  const { _id, $expr } = first.q as {
    _id: { value: number };
    $expr: unknown;
  };
  assert.equal(_id.value, 1);
  const [isEqual, hasSize] = [
    { $eq: ['$$ROOT', { $literal: { _id } }] },
    { $eq: [{ $bsonSize: '$$ROOT' }, 100] },
  ];
  assert.deepEqual($expr, { $and: [isEqual, hasSize] });
  // The collation of the collection could treat different texts as equal.
  assert.deepEqual([first.collation, commands[1]?.collation], [{ locale: 'simple' }, { locale: 'simple' }]);
});

test('documents that Extended JSON does not represent exactly are not moved', async () => {
  const inexact = [
    { _id: 1, at: { $oid: 'x' } },
    { _id: 'two', at: { $numberInt: '5' } },
    { _id: Long.fromNumber(3), at: [{ $date: 'never' }] },
  ];
  const exact = [
    { _id: 4, whole: new Double(1), zero: new Double(-0), long: Long.fromNumber(1), id: new UUID() },
    {
      _id: 5,
      at: new Map([
        ['b', 1],
        ['2', new Date(0)],
        ['1', /a/i],
      ] as [string, unknown][]),
    },
    { _id: 6, $set: { a: null }, bytes: new Binary(Uint8Array.of(1, 2), 5), link: { $ref: 'a', $id: 1 } },
  ];
  const reply = serialize({ ok: 1, cursor: { firstBatch: [...inexact, ...exact] } });
  const engine = { runAs: async () => Buffer.from(reply) };
  const at = { engine, clusterId: 'c', database: 'harbour', collection: 'calls' };
  const { found, remaining } = await nextBatch(at, {}, []);
  assert.deepEqual(remaining, [new Int32(1), 'two', Long.fromNumber(3)]);
  assert.deepEqual(
    found.map(({ bytes }) => bytes),
    exact.map((document) => serialize(document).length),
  );
});

test('only collections exist, not views and time series collections', async () => {
  const commands: Command[] = [];
  const run = async (_: string, command: Command) => {
    commands.push(command);
    return { ok: 1, cursor: { firstBatch: [] } };
  };
  assert.equal(
    await exists({ engine: { run }, clusterId: 'c', database: 'harbour', collection: 'calls' }),
    false,
  );
  assert.deepEqual(commands[0]?.filter, { name: 'calls', type: 'collection' });
});

test('commands are smaller than 16 MB', async () => {
  const { at, commands } = collectionWith([]);
  const megabytes = [4, 4, 1, 6, 1].map((size, id) => found(id, size * 1024 * 1024));
  assert.deepEqual(await deleteUnchanged(at, megabytes), []);
  assert.deepEqual(
    commands.map(({ deletes }) => (deletes as unknown[]).length),
    [1, 2, 1, 1],
  );
});

test('an error of one deletion is thrown', async () => {
  const reply = serialize({ ok: 1, n: 0, writeErrors: [{ errmsg: 'not allowed' }] });
  const engine = { runAs: async () => reply };
  const at = { engine, clusterId: 'c', database: 'harbour', collection: 'calls' };
  await assert.rejects(deleteUnchanged(at, [found(1, 100)]), { message: 'not allowed' });
});
