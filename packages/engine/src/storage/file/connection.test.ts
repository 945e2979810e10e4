import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pollsOf } from '../../bson/testing-turns.ts';
import { Connection } from './connection.ts';

function connection(t: TestContext, key: Uint8Array | undefined): Connection {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-connection-'));
  const opened = new Connection(join(folder, 'file.db'), { key });
  t.after(() => {
    opened.close();
    rmSync(folder, { recursive: true });
  });
  opened.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY); INSERT INTO numbers VALUES (1), (2), (3)');
  return opened;
}

for (const [kind, key] of [
  ['plain', undefined],
  ['encrypted', randomBytes(32)],
] as const) {
  test(`the same statement can run again while its rows are read (${kind} file)`, (t) => {
    const file = connection(t, key);
    const sql = 'SELECT n FROM numbers WHERE n > ? ORDER BY n';
    const found: unknown[] = [];
    for (const [outer] of file.iterate<[number]>(sql, 0)) {
      const inner = [...file.iterate<[number]>(sql, outer)].map(([n]) => n);
      found.push([outer, inner, file.get<[number]>(sql, outer), file.all(sql, outer).length]);
    }
    assert.deepEqual(found, [
      [1, [2, 3], [2], 2],
      [2, [3], [3], 1],
      [3, [], undefined, 0],
    ]);
  });

  test(`a large value lets other statements run after it is stored (${kind} file)`, (t) => {
    const file = connection(t, key);
    file.exec('CREATE TABLE documents (doc BLOB UNIQUE)');
    const sql = 'INSERT INTO documents VALUES (?)';
    const large = new Uint8Array(1 << 20);
    assert.equal(
      pollsOf(() => file.run(sql, large)),
      1,
    );
    assert.equal(
      pollsOf(() => file.insert(sql, [large.fill(1)])),
      1,
    );
  });

  test(`an iteration that ends early releases its statement (${kind} file)`, (t) => {
    const file = connection(t, key);
    for (const [n] of file.iterate<[number]>('SELECT n FROM numbers')) if (n === 2) break;
    // A statement that is still reading would lock the table.
    file.exec('DROP TABLE numbers');
  });
}
