import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../../bson/raw.ts';
import { ClusterStore } from '../cluster-store.ts';
import { idKey } from '../records/id-key.ts';
import { checkFile } from './check-file.ts';
import { Connection } from './connection.ts';
import { FILE_NAME } from './format.ts';
import { kindOfFile } from './open-database.ts';
import { reseal } from './sealed-database.ts';

const random = systemRandom();
const key = new Uint8Array(random.bytes(32));
const source = { now: () => 1_700_000_000_000, term: () => 1 };
let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'sealed-'));
  file = join(dir, FILE_NAME);
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Creates a file with 500 documents and closes it. */
function fill(own: Uint8Array | undefined): void {
  const store = ClusterStore.open(dir, random, source, { key: own });
  store.write(() => {
    const birds = store.create('shop', 'birds', RawDocument.empty);
    for (let n = 0; n < 500; n++) {
      const raw = RawDocument.from({ _id: n, text: 'eelgrass'.repeat(20) });
      birds.insert(idKey(raw), raw);
    }
  });
  store.close();
}

describe('an encrypted file', () => {
  it('reveals nothing, passes its check, and can be read with its key', () => {
    fill(key);
    const content = readFileSync(file);
    for (const word of ['eelgrass', 'birds', 'shop', 'SQLite']) assert.ok(!content.includes(word));
    assert.equal(kindOfFile(file), 'sealed');
    assert.equal(checkFile(file, key), undefined);
    const store = ClusterStore.open(dir, random, source, { key });
    assert.equal(store.collection('shop', 'birds')?.documents, 500);
    store.close();
  });

  it('cannot be opened with another key, and stays unchanged', () => {
    fill(key);
    const content = readFileSync(file);
    const wrong = new Uint8Array(random.bytes(32));
    assert.throws(() => ClusterStore.open(dir, random, source, { key: wrong }), { reason: 'locked' });
    assert.ok(readFileSync(file).equals(content));
    assert.deepEqual(
      readdirSync(dir).filter((name) => name.includes('damaged')),
      [],
    );
    const store = ClusterStore.open(dir, random, source, { key });
    store.close();
  });

  it('that was damaged on disk fails its check', () => {
    fill(key);
    const opened = openSync(file, 'r+');
    writeSync(opened, Buffer.from([1, 2, 3]), 0, 3, 8192 * 5 + 100);
    closeSync(opened);
    assert.match(checkFile(file, key) ?? '', /is damaged/);
  });

  it('can be encrypted, re-encrypted and decrypted without loss', () => {
    fill(undefined);
    const other = new Uint8Array(random.bytes(32));
    for (const [from, into] of [
      [undefined, key],
      [key, other],
      [other, undefined],
    ] as const) {
      reseal(file, from, into);
      assert.equal(kindOfFile(file), into === undefined ? 'plain' : 'sealed');
      const store = ClusterStore.open(dir, random, source, { key: into });
      assert.equal(store.collection('shop', 'birds')?.documents, 500);
      store.close();
      assert.equal(readFileSync(file).includes('eelgrass'), into === undefined);
    }
  });
});

describe('a connection to an encrypted file', () => {
  let connection: Connection;
  beforeEach(() => {
    connection = new Connection(file, { key });
    connection.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, bytes BLOB) STRICT');
    for (let n = 0; n < 5; n++) connection.run('INSERT INTO t VALUES (?, ?)', n, new Uint8Array([n]));
  });
  afterEach(() => connection.close());

  it('returns the same as one to a plain file', () => {
    const plain = new Connection(join(dir, 'plain.db'));
    plain.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, bytes BLOB) STRICT');
    for (let n = 0; n < 5; n++) plain.run('INSERT INTO t VALUES (?, ?)', n, new Uint8Array([n]));
    for (const each of [plain, connection]) {
      assert.deepEqual(each.all('SELECT n, bytes FROM t WHERE n > ?', 3), [[4, new Uint8Array([4])]]);
      assert.equal(each.get('SELECT n FROM t WHERE n = 9'), undefined);
      assert.deepEqual(each.run('INSERT INTO t VALUES (9, NULL)'), { changes: 1, rid: 9 });
      assert.equal(each.insert('INSERT INTO t VALUES (?, NULL)', [10]), true);
      assert.throws(() => each.run('SELECT * FROM missing'), /no such table/);
      each.exec('BEGIN');
      assert.equal(each.inTransaction, true);
      each.exec('CREATE UNIQUE INDEX of_bytes ON t (bytes)');
      assert.equal(each.insert('INSERT INTO t VALUES (?, ?)', [11, new Uint8Array([4])]), false);
      each.exec('ROLLBACK');
      assert.equal(each.inTransaction, false);
    }
    plain.close();
  });

  it('runs statements while the same and other statements are being read', () => {
    const sql = 'SELECT n FROM t WHERE n < 5';
    const seen: number[] = [];
    for (const [n] of connection.iterate<[number]>(sql)) {
      assert.equal(connection.all(sql).length, 5);
      connection.run('INSERT INTO t VALUES (?, NULL)', n + 100);
      seen.push(n);
    }
    assert.deepEqual(seen, [0, 1, 2, 3, 4]);
    assert.equal(connection.get<[number]>('SELECT count(*) FROM t')?.[0], 10);
  });

  it('is not copied without encryption', async () => {
    await assert.rejects(
      connection.copyTo(join(dir, 'copy'), 10, () => {}),
      /is encrypted/,
    );
  });
});
