import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerError } from '../../errors/server-error.ts';
import { StatementErrors } from './statement-errors.ts';

const error = (size: number) =>
  new ServerError('DuplicateKey', 'm'.repeat(size), { keyValue: { _id: 'k'.repeat(size) } });

test('messages are complete up to a megabyte, and details up to eight', () => {
  const errors = new StatementErrors();
  const described = Array.from({ length: 20 }, () => errors.describe(error(1_000_000)));
  assert.deepEqual(
    described.map(({ code, errmsg }) => [code, String(errmsg).length]),
    [[11000, 1_000_000], [11000, 1_000_000], ...Array.from({ length: 18 }, () => [11000, 0])],
  );
  assert.deepEqual(
    described.map(({ keyValue }) => keyValue !== undefined),
    Array.from({ length: 20 }, (_, i) => i < 9),
  );
});

test('two messages are complete, however long they are', () => {
  const errors = new StatementErrors();
  const lengths = [1, 2, 3].map(() => String(errors.describe(error(2_000_000)).errmsg).length);
  assert.deepEqual(lengths, [2_000_000, 2_000_000, 0]);
});
