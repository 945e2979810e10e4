import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { BSONRegExp, type Document, MaxKey } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { ClusterStore } from '../cluster-store.ts';
import type { Collection } from '../collection/collection.ts';
import { FILE_NAME } from '../file/format.ts';
import { idKey } from './id-key.ts';
import type { RecordStream, Use } from './scan.ts';

const natural = { kind: 'natural', reverse: false } as const;
const COUNT = 1_500;
let dir: string;
let store: ClusterStore;

const open = () => ClusterStore.open(dir, systemRandom(), { now: () => 1_700_000_000_000, term: () => 1 });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'beginnings-'));
  store = open();
});

afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const document = (_id: number): Document => ({ _id, n: _id * 2, at: `place ${_id}`, pad: 'x'.repeat(800) });

function fill(documentOf: (id: number) => Document = document): Collection {
  return store.write(() => {
    const collection = store.create('shop', 'things', RawDocument.empty);
    collection.insertTogether(Array.from({ length: COUNT }, (_, id) => RawDocument.from(documentOf(id))));
    return collection;
  });
}

function reopened(): Collection {
  store = open();
  const things = store.collection('shop', 'things');
  assert.ok(things);
  return things;
}

/** Closes the file, changes a character at each occurrence of a text, and opens the file again. */
function damage(text: string): Collection {
  store.close();
  const file = join(dir, FILE_NAME);
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at] = 0x71;
  writeFileSync(file, bytes);
  return reopened();
}

function* documents(stream: RecordStream): Generator<Document> {
  for (let record = stream.next(); record; record = stream.next()) yield record.doc.toObject();
}

const read = (collection: Collection, use: Use): Document[] => [
  ...documents(collection.scan(natural, undefined, undefined, use)),
];
const only = (...names: string[]): Use => ({ fields: new Set(names) });

describe('a scan for some fields', () => {
  it('returns these fields and not the ones after them', () => {
    const found = read(fill(), only('n'));
    assert.deepEqual(
      found.map(({ n }) => n),
      Array.from({ length: COUNT }, (_, i) => i * 2),
    );
    // The first page contains whole documents, from which the scan learns their size.
    assert.deepEqual(found.at(-1), { _id: COUNT - 1, n: (COUNT - 1) * 2 });
    assert.ok(found.filter(({ pad }) => pad === undefined).length > COUNT / 2);
  });

  it('returns empty documents if no field is used', () => {
    assert.deepEqual(read(fill(), only()).at(-1), {});
  });

  it('returns whole documents if a field is beyond the beginning or missing', () => {
    const behind = (_id: number) => ({ _id, pad: 'x'.repeat(800), n: _id });
    const collection = fill(behind);
    assert.deepEqual(read(collection, only('n')).at(-1), behind(COUNT - 1));
    assert.deepEqual(read(collection, only('_id', 'absent')).at(-1), behind(COUNT - 1));
  });

  it('returns whole documents if they are short, next to long ones', () => {
    const mixed = (_id: number): Document => (_id % 7 === 0 ? { _id, short: true } : document(_id));
    const collection = fill(mixed);
    // No long document has the field `short`, so beginnings do not suffice.
    assert.deepEqual(
      read(collection, only('n', 'short')),
      Array.from({ length: COUNT }, (_, i) => mixed(i)),
    );
    const found = read(collection, only('at', 'n')).slice(-7);
    assert.deepEqual(found.filter(({ short }) => short).length, 1);
    assert.deepEqual(found.filter(({ pad }) => pad).length, 0);
  });

  it('skips values of every type before the field', () => {
    const kinds = (_id: number): Document => ({
      _id,
      list: [1, { a: 2 }],
      none: null,
      truth: true,
      when: new Date(5),
      bytes: Buffer.from('abc'),
      n: 1,
      pad: 'x'.repeat(800),
    });
    assert.equal(read(fill(kinds), only('n')).at(-1)?.pad, undefined);
  });

  it('returns whole documents if a value without a length precedes the field', () => {
    const pattern = (_id: number): Document => ({
      _id,
      r: new BSONRegExp('a'),
      n: 1,
      pad: 'x'.repeat(800),
    });
    assert.equal(read(fill(pattern), only('n')).at(-1)?.pad.length, 800);
    store.write(() => store.drop(store.collection('shop', 'things') as Collection));
    const most = (_id: number): Document => ({ _id, m: new MaxKey(), n: 1, pad: 'x'.repeat(800) });
    assert.equal(read(fill(most), only('n')).at(-1)?.pad.length, 800);
  });

  it('works in key order, too', () => {
    const collection = fill();
    const scan = collection.scan({ kind: 'byId', reverse: true }, undefined, undefined, only('n'));
    const found = [...documents(scan)];
    assert.deepEqual(
      found.map(({ _id }) => _id),
      Array.from({ length: COUNT }, (_, i) => COUNT - 1 - i),
    );
    assert.equal(found.at(-1)?.pad, undefined);
  });

  it('returns the current whole document on request', () => {
    const collection = fill();
    const scan = collection.scan(natural, undefined, undefined, { ...only('n'), unchecked: true });
    for (let i = 0; i < 500; i++) scan.next();
    assert.equal(scan.next()?.doc.get('pad'), undefined);
    assert.deepEqual(scan.whole?.()?.doc.toObject(), document(500));
    scan.next();
    const record = collection.find(idKey(RawDocument.from({ _id: 501 })));
    assert.ok(record);
    store.write(() => collection.replace(record, RawDocument.from({ _id: 501, other: 1 })));
    assert.deepEqual(scan.whole?.()?.doc.toObject(), { _id: 501, other: 1 });
    store.write(() => collection.remove(record));
    assert.equal(scan.whole?.(), undefined);
  });

  it('reads whole documents while most of them are requested', () => {
    const scan = fill().scan(natural, undefined, undefined, { ...only('n'), unchecked: true });
    for (let record = scan.next(); record; record = scan.next()) {
      assert.equal(record.doc.toObject().pad.length, 800);
      scan.whole?.();
    }
  });
});

describe('a beginning that was damaged on disk', () => {
  const mismatch = { reason: 'damaged', message: /row 1201 of c_\d+ does not match its checksum$/ };

  it('is detected if its fields are read', () => {
    fill();
    assert.throws(() => read(damage('place 1200'), only('n')), mismatch);
  });

  it('is detected if the whole document is requested', () => {
    fill();
    const scan = damage('place 1200').scan(natural, undefined, undefined, {
      ...only('n'),
      unchecked: true,
    });
    for (let _id = 0; _id < 1200; _id++) scan.next();
    scan.next();
    assert.throws(() => scan.whole?.(), mismatch);
    assert.throws(() => scan.check?.(), mismatch);
  });

  it('is verified with the whole document if it has no separate checksum', () => {
    fill();
    store.close();
    const file = new DatabaseSync(join(dir, FILE_NAME));
    const tables = file.prepare(`SELECT name FROM sqlite_schema WHERE name GLOB 'c_*' AND type = 'table'`);
    for (const { name } of tables.all()) file.exec(`UPDATE ${name} SET checksum = checksum & 4294967295`);
    file.close();
    const collection = reopened();
    assert.deepEqual(read(collection, only('n')).at(-1), document(COUNT - 1));
    assert.throws(() => read(damage('place 1200'), only('n')), mismatch);
  });
});
