import assert from 'node:assert/strict';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import type { Document } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { everything } from '../../language/filter/index.ts';
import { compileSort } from '../../language/sort.ts';
import { sortedWithin } from '../../language/spill/sorted.ts';
import { documentsOf, Matches } from '../../planner/plan.ts';
import { ClusterStore } from '../cluster-store.ts';
import { idKey } from '../records/id-key.ts';
import type { RecordStream } from '../records/scan.ts';
import { checkFile } from './check-file.ts';
import { noteFailedCheck, refuseLost } from './damaged-file.ts';
import { FILE_NAME } from './format.ts';

const PAGE = 8_192;
let dir: string;
let file: string;

const open = () => ClusterStore.open(dir, systemRandom(), { now: () => 1_700_000_000_000, term: () => 1 });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'aside-'));
  file = join(dir, FILE_NAME);
  const store = open();
  store.write(() => {
    const collection = store.create('shop', 'things', RawDocument.empty);
    for (let _id = 0; _id < 500; _id++) {
      const doc = RawDocument.from({ _id, pad: (_id === 77 ? 'w' : 'x').repeat(1_000) });
      collection.insert(idKey(doc), doc);
    }
  });
  store.close();
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Overwrites a page in the middle of the file. */
function damage(): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE, 0xab), 0, PAGE, 40 * PAGE);
  closeSync(handle);
}

/** Changes one character in a document without touching SQLite's structures. */
function flip(letter = 'w'): void {
  const bytes = readFileSync(file);
  const pad = letter.repeat(500);
  for (let at = bytes.indexOf(pad); at >= 0; at = bytes.indexOf(pad, at + 1)) bytes[at + 250] = 0x79;
  writeFileSync(file, bytes);
}

function visit(records: RecordStream): number {
  let count = 0;
  while (records.next() !== undefined) count++;
  return count;
}

describe('a document that was damaged on disk', () => {
  const mismatch = { reason: 'damaged', message: /row \d+ of c_\d+ does not match its checksum$/ };
  const natural = { kind: 'natural', reverse: false } as const;

  it('is found by a check of the file', () => {
    flip();
    assert.match(checkFile(file) ?? '', mismatch.message);
  });

  it('cannot be read on any path', () => {
    flip();
    const store = open();
    const things = store.collection('shop', 'things');
    assert.ok(things);
    assert.throws(() => visit(things.scan(natural)), mismatch);
    assert.throws(() => visit(things.scan({ kind: 'byId', reverse: true })), mismatch);
    const finds = () => {
      for (let _id = 0; _id < 500; _id++) things.find(idKey(RawDocument.from({ _id })));
    };
    assert.throws(finds, mismatch);
    const spec = RawDocument.from({ v: 2, key: { _id: -1, pad: 1 }, name: 'any' });
    assert.throws(() => store.write(() => things.createIndex(spec)), mismatch);
    store.close();
  });

  it('is skipped by readers that do not verify it', () => {
    flip();
    const store = open();
    const things = store.collection('shop', 'things');
    assert.ok(things);
    const records = things.scan(natural, undefined, undefined, { unchecked: true });
    let [sound, damaged] = [0, 0];
    for (let record = records.next(); record !== undefined; record = records.next()) {
      if (!record.doc.toObject().pad.includes('y')) {
        records.check?.();
        sound++;
      } else {
        assert.throws(() => records.check?.(), mismatch);
        damaged++;
      }
    }
    assert.deepEqual([sound, damaged], [499, 1]);
    store.close();
  });

  it('is reported by its row, after the documents before it', () => {
    flip();
    const store = open();
    const things = store.collection('shop', 'things');
    assert.ok(things);
    for (const expected of [10, 100, 500]) {
      const records = things.scan(natural, expected);
      for (let _id = 0; _id < 77; _id++) assert.equal(records.next()?.doc.toObject()._id, _id);
      assert.throws(() => records.next(), mismatch);
    }
    store.close();
  });

  it('cannot be sorted', () => {
    flip();
    const store = open();
    const things = store.collection('shop', 'things');
    assert.ok(things);
    const first = (order: Document, limit: number) => {
      const matches = new Matches(things, natural, everything, { unchecked: true });
      const documents = documentsOf(matches, things.running);
      const sort = compileSort(RawDocument.from(order));
      return [...sortedWithin(documents, sort, { statement: things.running }, limit, matches)].length;
    };
    assert.throws(() => first({ pad: -1 }, 10), mismatch);
    assert.throws(() => first({ _id: 1 }, 500), mismatch);
    store.close();
  });
});

describe('a file in the format without checksums', () => {
  it('can be read, and later writes have checksums', () => {
    const old = new DatabaseSync(file);
    const tables = old.prepare(
      `SELECT name FROM sqlite_schema WHERE name GLOB 'c_[0-9]*' OR name = 'images'`,
    );
    for (const { name } of tables.all()) old.exec(`ALTER TABLE ${name} DROP COLUMN checksum`);
    old.exec(
      'DROP TABLE search_indexes; ALTER TABLE collections DROP COLUMN counted; ' +
        'ALTER TABLE indexes DROP COLUMN collation_version; PRAGMA user_version = 5',
    );
    old.close();
    const store = open();
    const things = store.collection('shop', 'things');
    assert.ok(things);
    assert.equal(visit(things.scan({ kind: 'natural', reverse: false })), 500);
    const record = things.find(idKey(RawDocument.from({ _id: 499 })));
    assert.ok(record);
    store.write(() => things.replace(record, RawDocument.from({ _id: 499, pad: 'z'.repeat(1_000) })));
    store.close();
    assert.equal(checkFile(file), undefined);
    flip('z');
    assert.match(checkFile(file) ?? '', /does not match its checksum/);
  });
});

describe('the check of a whole file', () => {
  it('accepts a valid file', () => assert.equal(checkFile(file), undefined));

  it('finds damage in a page that opening does not read', () => {
    damage();
    open().close();
    assert.match(checkFile(file) ?? '', /./);
  });

  it('keeps the file closed after a failure until the note is removed', async () => {
    await noteFailedCheck(file, 'row 7 missing from index');
    assert.throws(open, /is damaged: row 7 missing from index; put .*, or remove cluster\.db\.check-failed/);
    rmSync(`${file}.check-failed`);
    open().close();
  });
});

describe('a file that cannot be opened', () => {
  it('is renamed, and not replaced by an empty one', () => {
    writeFileSync(file, 'a'.repeat(20_000));
    assert.throws(open, /cluster\.db is damaged and is kept as cluster\.db\.damaged-/);
    assert.deepEqual(
      readdirSync(dir).map((name) => name.replace(/damaged-.*/, 'damaged-')),
      ['cluster.db.damaged-'],
    );
    assert.throws(open, /was damaged and is kept as cluster\.db\.damaged-/);
    rmSync(join(dir, readdirSync(dir)[0] ?? ''));
    open().close();
  });
});

describe('a file that was created before', () => {
  it('is reported if it is missing, and renamed if it is empty', () => {
    refuseLost(file);
    writeFileSync(file, '');
    assert.throws(
      () => refuseLost(file),
      /cluster\.db is damaged \(empty\) and is kept as cluster\.db\.damaged-/,
    );
    assert.throws(() => refuseLost(file), /cluster\.db was damaged and is kept as cluster\.db\.damaged-/);
    rmSync(dir, { recursive: true });
    assert.throws(() => refuseLost(file), /cluster\.db is missing/);
  });
});
