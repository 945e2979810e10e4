import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Connection } from '../file/connection.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { countKeys } from './index-count.ts';

const KEYS = 70_000;

test('counts the keys of a large range in pieces, each of which it reads once, except the first and the last', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(
    'CREATE TABLE keys (key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) WITHOUT ROWID',
  );
  database.exec(`INSERT INTO keys SELECT CAST(printf('%05d', value / 3) AS BLOB), value
    FROM (WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value + 1 < ${KEYS})
      SELECT value FROM n)`);
  const counting: string[] = [];
  const connection = {
    running: { check() {}, checkNow() {} },
    get(sql: string, ...values: (Uint8Array | number)[]) {
      if (sql.includes('count(*)')) counting.push(sql);
      const row = database.prepare(sql).get(...values);
      return row && Object.values(row);
    },
  } as unknown as Connection;
  const index = { table: 'keys' } as IndexDefinition;
  const low = Uint8Array.of(1);
  const count = (most: number, high?: Uint8Array) => {
    counting.length = 0;
    return countKeys(connection, index, [{ low, high }], most);
  };
  assert.equal(count(Number.POSITIVE_INFINITY), KEYS);
  assert.equal(counting.length, 2);
  for (const most of [1, 19_999, 20_000, 20_001, 40_000, 69_999, 70_001])
    assert.equal(count(most), Math.min(most, KEYS), `${most}`);
  assert.equal(count(Number.POSITIVE_INFINITY, Buffer.from('20000')), 60_000);
  assert.equal(count(Number.POSITIVE_INFINITY, Buffer.from('00001')), 3);
  database.close();
});
