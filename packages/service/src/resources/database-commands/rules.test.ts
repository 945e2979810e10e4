import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bounded } from './bounds.ts';
import { databaseRolesOf, requireRunnable } from './rules.ts';

test('commands that the operation does not run are rejected, even within explain', () => {
  for (const command of [
    { dropDatabase: 1 },
    { createUser: 'eve', find: 'a' },
    { explain: { findAndModify: 'a' } },
    { explain: { explain: { find: 'a' } } },
    { explain: { createUser: 'eve' } },
  ]) {
    assert.throws(() => requireRunnable(command), { code: 'DATABASE_COMMAND_NOT_OFFERED' });
  }
  for (const command of [
    {},
    { explain: 'find' },
    { find: 'a', $db: 'admin' },
    { insert: 'a', documents: [], lsid: {} },
    { explain: { find: 'a', $db: 'admin' } },
  ]) {
    assert.throws(() => requireRunnable(command), { code: 'INVALID_ATTRIBUTE' });
  }
  assert.equal(requireRunnable({ explain: { find: 'a' } }), 'explain');
});

test('limits are lowered, and the rest is left to the database', () => {
  const bounds = { batchSize: 1001, singleBatch: true, maxTimeMS: 30_000, $db: 'harbour' };
  assert.deepEqual(bounded('find', { find: 'a', limit: 0 }, 'harbour'), {
    find: 'a',
    limit: 1001,
    ...bounds,
  });
  assert.deepEqual(bounded('find', { find: 'a', limit: 5, batchSize: 9 }, 'harbour'), {
    ...{ find: 'a', ...bounds, limit: 5 },
  });
  assert.deepEqual(bounded('count', { count: 'a', maxTimeMS: 'x' }, 'harbour'), {
    ...{ count: 'a', maxTimeMS: 'x', $db: 'harbour' },
  });
});

test('the highest data access role decides', () => {
  const rolesWith = (...phrases: string[]) =>
    databaseRolesOf((phrase) => phrases.includes(phrase)).map(({ role, database }) => `${role}@${database}`);
  const [admin, writer, reader] = ['Admin', 'Read Write', 'Read Only'].map(
    (name) => `Project Data Access ${name}`,
  );
  assert.deepEqual(rolesWith(reader ?? ''), ['readAnyDatabase@admin']);
  assert.deepEqual(rolesWith(reader ?? '', writer ?? ''), ['readWriteAnyDatabase@admin']);
  assert.deepEqual(rolesWith(reader ?? '', writer ?? '', admin ?? ''), [
    'readWriteAnyDatabase@admin',
    'dbAdminAnyDatabase@admin',
  ]);
  assert.deepEqual(rolesWith(), []);
});
