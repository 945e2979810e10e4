import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteUnchanged } from './documents.ts';

type Command = Readonly<Record<string, unknown>>;

const found = (id: number, bytes: number) => ({ line: `{"_id":{"$numberInt":"${id}"}}\n`, bytes });

/** A collection whose documents with the ids `changed` differ from the found ones. */
function collectionWith(changed: readonly number[]) {
  const commands: Command[] = [];
  const run = async (_: string, command: Command) => {
    commands.push(command);
    const { deletes, filter } = command as {
      deletes?: readonly { q: { _id: { value: number } } }[];
      filter?: { _id: { $in: readonly { value: number }[] } };
    };
    if (deletes) return { ok: 1, n: deletes.filter(({ q }) => !changed.includes(q._id.value)).length };
    const present = filter?._id.$in.filter(({ value }) => changed.includes(value)) ?? [];
    return { ok: 1, cursor: { firstBatch: present.map(({ value }) => ({ _id: value })) } };
  };
  const engine = { run, runAs: () => assert.fail() };
  return { at: { engine, clusterId: 'c', database: 'harbour', collection: 'calls' }, commands };
}

test('documents that have changed since they were read are not deleted', async () => {
  const { at, commands } = collectionWith([2]);
  assert.deepEqual(await deleteUnchanged(at, [found(1, 100), found(2, 100)]), [2]);
  const [first = assert.fail()] = (commands[0]?.deletes ?? []) as Command[];
  const { _id, $expr } = first.q as {
    _id: { value: number };
    $expr: { $eq: [string, { $literal: unknown }] };
  };
  assert.equal(_id.value, 1);
  assert.equal($expr.$eq[0], '$$ROOT');
  assert.deepEqual($expr.$eq[1], { $literal: { _id } });
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
  const engine = {
    run: async () => ({ ok: 1, n: 0, writeErrors: [{ errmsg: 'not allowed' }] }),
    runAs: () => assert.fail(),
  };
  const at = { engine, clusterId: 'c', database: 'harbour', collection: 'calls' };
  await assert.rejects(deleteUnchanged(at, [found(1, 100)]), { message: 'not allowed' });
});
