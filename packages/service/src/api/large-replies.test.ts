import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { LargeReply } from './operation.ts';
import { GROUP, operation, testApi } from './testing.ts';

const MB = 1024 * 1024;
const path = `/api/service/v2/groups/${GROUP}/cargo`;

/**
 * Declares an operation whose handler waits for `gate` and returns a `LargeReply` with the size that `bytesOf`
 * returns.
 */
function loading(
  bytesOf: (label: string) => number,
  gate: (label: string) => Promise<void>,
  make: (label: string) => Promise<void>,
) {
  return operation({
    id: 'load',
    summary: 'Takes cargo.',
    tag: 'Ships',
    method: 'POST',
    path: '/groups/{groupId}/cargo',
    access: 'Project Owner',
    body: Type.Object({ label: Type.String(), notes: Type.Array(Type.String()) }),
    reply: Type.Object({ label: Type.String() }),
    status: 200,
    async handler({ body: { label } }) {
      await gate(label);
      return new LargeReply(bytesOf(label), async () => {
        await make(label);
        return { label };
      });
    },
  });
}

/** Waits until something has happened, for at most this many turns of the event loop. */
async function until(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !happened(); turn++) await setImmediate();
  assert.ok(happened());
}

test('a handler that waits for a database does not delay other large bodies', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const done: string[] = [];
  const load = loading(
    () => 1,
    async (label) => (label === 'slow' ? opened : undefined),
    async () => {},
  );
  const { send } = await testApi(t, [load]);
  const notes = Array.from({ length: 20 }, () => 'x'.repeat(100_000));
  const sent = ['slow', 'quick'].map(async (label) => {
    assert.equal((await send({ method: 'POST', url: path, payload: { label, notes } })).statusCode, 200);
    done.push(label);
  });
  await until(() => done.length === 1);
  assert.deepEqual(done, ['quick']);
  open();
  await Promise.all(sent);
});

test('large replies are made one after another, and above 128 MiB together, only small ones do not get 503', async (t) => {
  const gates = new Map<string, () => void>();
  const make = (label: string) => new Promise<void>((resolve) => gates.set(label, resolve));
  const bytesOf = (label: string) => (label === 'small' ? 60_000 : 64 * MB);
  const { send } = await testApi(t, [loading(bytesOf, async () => {}, make)]);
  const load = (label: string) => send({ method: 'POST', url: path, payload: { label, notes: [] } });
  const [first, second] = [load('first'), load('second')];
  await until(() => gates.has('first'));
  const third = await load('third');
  assert.deepEqual([third.statusCode, third.headers['retry-after']], [503, '1']);
  const small = load('small');
  await until(() => gates.has('small'));
  gates.get('small')?.();
  assert.equal((await small).json().label, 'small');
  assert.deepEqual([...gates.keys()], ['first', 'small']);
  gates.get('first')?.();
  assert.equal((await first).json().label, 'first');
  await until(() => gates.has('second'));
  gates.get('second')?.();
  assert.equal((await second).json().label, 'second');
});
