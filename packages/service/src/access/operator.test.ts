import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { createOperatorToken } from './operator.ts';
import { openInstance } from './testing.ts';

onEachDatabase('only the operator token gives access to operator endpoints', async (t, database) => {
  const instance = await openInstance(t, database);
  const open = (authorization?: string) => instance.access.authenticateOperator(authorization);
  const refused = { code: 'UNAUTHORIZED', status: 401 };
  await assert.rejects(open('Bearer anything'), refused, 'before it is created');
  const token = await instance.store.write((tx) => createOperatorToken(tx, instance));
  instance.machine.advance(1000);
  await open(`Bearer ${token}`);
  for (const wrong of [undefined, '', token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer ']) {
    await assert.rejects(open(wrong), refused);
  }
  const next = await instance.store.write((tx) => createOperatorToken(tx, instance));
  instance.machine.advance(1000);
  await open(`Bearer ${next}`);
  await assert.rejects(open(`Bearer ${token}`), refused);
});
