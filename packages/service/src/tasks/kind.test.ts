import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tx } from '../store/store.ts';
import { resultOf, step, type TaskContext } from './kind.ts';

type Context = TaskContext<null, { readonly ship: string }>;

test('the result of a step has the type that its run returns', async () => {
  const told: unknown[] = [];
  const count = step({
    name: 'count',
    run: async ({ payload }: Context) => payload.ship.length,
    async commit(_: Tx, context: Context, letters) {
      told.push(letters + 1);
      const stored = { ...context, results: { count: letters } };
      told.push(resultOf(stored, count).toFixed(1));
    },
  });
  const context = { payload: { ship: 'Vasa' } } as Context;
  await count.commit?.({} as Tx, context, (await count.run?.(context)) ?? 0);
  assert.deepEqual(told, [5, '4.0']);
  step({
    name: 'name',
    run: async ({ payload }: Context) => payload.ship,
    async commit(_: Tx, _context: Context, name) {
      // @ts-expect-error: a name is a string.
      const number: number = name;
      told.push(number);
    },
  });
});
