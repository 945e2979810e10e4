import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { CursorTable } from './cursors.ts';

test('the end of a session reads only its own cursors', () => {
  const table = new CursorTable(testClock(), systemRandom());
  let reads = 0;
  const results = { next: () => undefined, exhausted: false, release() {} };
  const cursor = (session: string) => ({
    get session() {
      reads++;
      return session;
    },
    ...{ namespace: 'test.c', owner: '', apiParameters: '', noTimeout: false, returned: 0 },
    results: results as never,
  });
  for (let i = 0; i < 100; i++) table.open(cursor('other'));
  table.open(cursor('own'));
  table.open(cursor('own'));
  reads = 0;
  table.closeSession('own');
  assert.ok(reads <= 4, `${reads}`);
  table.closeSession('own');
  assert.equal(table.size, 100);
  table.closeSession('other');
  assert.equal(table.size, 0);
  table.closeAll();
});
