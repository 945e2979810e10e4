import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import type { Document } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import type { Interval } from '../language/filter/bounds.ts';
import { ClusterStore } from './cluster-store.ts';
import type { Collection } from './collection/collection.ts';
import { CollectionDropped } from './collection/dropped.ts';
import { FILE_NAME } from './file/format.ts';
import { StorageError } from './file/storage-error.ts';
import type { AccessPath } from './model/access-path.ts';
import { idKey } from './records/id-key.ts';

let dir: string;
let store: ClusterStore;
const source = { now: () => 1_700_000_000_000, term: () => 1 };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'store-'));
  store = ClusterStore.open(dir, systemRandom(), source);
});

afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

function reopen(): void {
  store.close();
  store = ClusterStore.open(dir, systemRandom(), source);
}

function create(name = 'things'): Collection {
  return store.write(() => store.create('shop', name, RawDocument.empty));
}

function insert(collection: Collection, ...documents: Document[]): boolean[] {
  return documents.map((document) => {
    const raw = RawDocument.from(document);
    return collection.insert(idKey(raw), raw);
  });
}

const natural: AccessPath = { kind: 'natural', reverse: false };

function ids(collection: Collection, path: AccessPath = natural, expected?: number): unknown[] {
  const stream = collection.scan(path, expected);
  const found: unknown[] = [];
  for (let record = stream.next(); record; record = stream.next()) found.push(record.doc.toObject()._id);
  return found;
}

const key = (value: unknown) => idKey(RawDocument.from({ _id: value }));
const point = (value: unknown): Interval => {
  const endpoint = { key: key(value), inclusive: true };
  return { low: endpoint, high: endpoint };
};

describe('written data', () => {
  it('are stored when the file is reopened', () => {
    const collection = create();
    store.write(() => insert(collection, { _id: 2, v: 'b' }, { _id: 1, v: 'a' }));
    reopen();
    const found = store.collection('shop', 'things');
    assert.ok(found);
    assert.deepEqual(ids(found), [2, 1]);
    assert.equal(found.documents, 2);
    assert.deepEqual(Buffer.from(found.uuid), Buffer.from(collection.uuid));
    assert.deepEqual(found.find(key(1))?.doc.toObject(), { _id: 1, v: 'a' });
  });

  it('have exact counts and sizes after inserts, replacements and removals', () => {
    const collection = create();
    const size = (document: Document) => RawDocument.from(document).length;
    store.write(() => insert(collection, { _id: 1, v: 'a' }, { _id: 2 }));
    const record = collection.find(key(1));
    assert.ok(record);
    store.write(() => collection.replace(record, RawDocument.from({ _id: 1, v: 'longer' })));
    assert.equal(collection.bytes, size({ _id: 1, v: 'longer' }) + size({ _id: 2 }));
    const second = collection.find(key(2));
    assert.ok(second);
    store.write(() => collection.remove(second));
    assert.equal(collection.documents, 1);
    reopen();
    assert.equal(store.collection('shop', 'things')?.bytes, size({ _id: 1, v: 'longer' }));
  });

  it('reject a second document with an equal key', () => {
    const collection = create();
    assert.deepEqual(
      store.write(() => insert(collection, { _id: 1 }, { _id: 1.0 }, { _id: 1n })),
      [true, false, false],
    );
    assert.equal(collection.documents, 1);
  });
});

describe('a write that fails', () => {
  const failure = new Error('no');
  const fail = () => {
    throw failure;
  };

  it('leaves no documents, counts or collections', () => {
    const collection = create();
    const write = () =>
      store.write(() => {
        insert(collection, { _id: 1 });
        store.create('shop', 'others', RawDocument.empty);
        store.drop(collection);
        fail();
      });
    assert.throws(write, failure);
    assert.deepEqual(ids(collection), []);
    assert.equal(collection.documents, 0);
    assert.deepEqual(
      store.collections('shop').map(({ name }) => name),
      ['things'],
    );
    assert.equal(store.collection('shop', 'things'), collection);
  });

  it('in a savepoint keeps other writes of the same transaction', () => {
    const collection = create();
    store.write(() => {
      store.savepoint(() => insert(collection, { _id: 1 }));
      assert.throws(
        () =>
          store.savepoint(() => {
            insert(collection, { _id: 2 });
            store.create('shop', 'others', RawDocument.empty);
            fail();
          }),
        failure,
      );
      store.savepoint(() => insert(collection, { _id: 3 }));
    });
    reopen();
    const found = store.collection('shop', 'things');
    assert.ok(found);
    assert.deepEqual(ids(found), [1, 3]);
    assert.equal(found.documents, 2);
    assert.equal(store.collection('shop', 'others'), undefined);
  });
});

describe('a scan', () => {
  const many = Array.from({ length: 700 }, (_, i) => ({ _id: (i * 389) % 700, pad: 'x'.repeat(i % 40) }));
  const inserted = many.map(({ _id }) => _id);
  const sorted = inserted.toSorted((a, b) => a - b);

  it('returns all in insertion order, from both ends', () => {
    const collection = create();
    store.write(() => insert(collection, ...many));
    assert.deepEqual(ids(collection, natural, 3), inserted);
    assert.deepEqual(ids(collection, { kind: 'natural', reverse: true }, 3), inserted.toReversed());
  });

  it('returns keys between bounds in key order', () => {
    const collection = create();
    store.write(() => insert(collection, ...many));
    const between = (low: number, high: number, inclusive: boolean): Interval => ({
      low: { key: key(low), inclusive },
      high: { key: key(high), inclusive },
    });
    const visit = (intervals: readonly Interval[], reverse = false) =>
      ids(collection, { kind: 'byId', intervals, reverse }, 7);
    assert.deepEqual(ids(collection, { kind: 'byId', reverse: false }), sorted);
    assert.deepEqual(ids(collection, { kind: 'byId', reverse: true }), sorted.toReversed());
    assert.deepEqual(visit([between(100, 400, true)]), sorted.slice(100, 401));
    assert.deepEqual(visit([between(100, 400, false)]), sorted.slice(101, 400));
    assert.deepEqual(visit([between(100, 400, true)], true), sorted.slice(100, 401).toReversed());
    const several = [between(1, 20, false), point(30), point(30.5), between(690, 1000, true)];
    const expected = [...sorted.slice(2, 20), 30, ...sorted.slice(690)];
    assert.deepEqual(visit(several), expected);
    assert.deepEqual(visit(several, true), expected.toReversed());
    assert.deepEqual(visit([]), []);
  });

  it('knows its end after single keys', () => {
    const collection = create();
    store.write(() => insert(collection, { _id: 1 }, { _id: 2 }));
    const stream = collection.scan({ kind: 'byId', intervals: [point(1), point(2)], reverse: false });
    stream.next();
    assert.equal(stream.ended, false);
    stream.next();
    assert.equal(stream.ended, true);
  });

  it('returns large documents among small ones byte by byte', () => {
    const collection = create();
    const documents = [10, 40_000, 20, 2_000_000, 17_000, 30].map((size, _id) => ({
      _id,
      pad: 'y'.repeat(size),
    }));
    store.write(() => insert(collection, ...documents));
    const stream = collection.scan(natural);
    for (const document of documents) {
      assert.ok(stream.next()?.doc.equals(RawDocument.from(document)), `document ${document._id}`);
    }
    assert.equal(stream.next(), undefined);
  });

  for (const path of [natural, { kind: 'byId', reverse: false }] as const) {
    it(`sees changes after its read-ahead was released (${path.kind})`, () => {
      const collection = create();
      store.write(() => insert(collection, { _id: 1 }, { _id: 2 }, { _id: 3 }, { _id: 4 }));
      const stream = collection.scan(path);
      assert.equal(stream.next()?.doc.toObject()._id, 1);
      stream.release();
      store.write(() => {
        const record = collection.find(key(2));
        if (record) collection.remove(record);
        insert(collection, { _id: 9 });
      });
      const rest: unknown[] = [];
      for (let record = stream.next(); record; record = stream.next()) rest.push(record.doc.toObject()._id);
      assert.deepEqual(rest, [3, 4, 9]);
    });
  }

  it('ends with an error when its collection is dropped', () => {
    const collection = create();
    store.write(() => insert(collection, { _id: 1 }, { _id: 2 }));
    const stream = collection.scan(natural);
    stream.next();
    stream.release();
    store.write(() => store.drop(collection));
    assert.throws(() => stream.next(), CollectionDropped);
  });
});

describe('the catalog', () => {
  it('has a database while it has a collection', () => {
    const collection = create();
    assert.deepEqual(store.databases(), ['local', 'shop']);
    store.write(() => store.drop(collection));
    assert.deepEqual(store.databases(), ['local']);
    reopen();
    assert.deepEqual(store.databases(), ['local']);
  });

  it('distinguishes names by case', () => {
    create('Things');
    create('things');
    assert.deepEqual(
      store.collections('shop').map(({ name }) => name),
      ['Things', 'things'],
    );
  });
});

describe('a file whose creation was interrupted', () => {
  for (const begun of [
    '',
    'PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL',
  ]) {
    it(`is created again if it ${begun === '' ? 'is empty' : 'has only a header'}`, () => {
      store.close();
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(dir, FILE_NAME + suffix), { force: true });
      const db = new DatabaseSync(join(dir, FILE_NAME));
      db.exec(begun);
      db.close();
      store = ClusterStore.open(dir, systemRandom(), source);
      create();
      reopen();
      assert.deepEqual(store.databases(), ['local', 'shop']);
    });
  }
});

it('a file is created although an interrupted creation has left an incomplete one', () => {
  const other = join(dir, 'other');
  mkdirSync(other);
  for (const suffix of ['', '-journal', '-wal'])
    writeFileSync(join(other, `${FILE_NAME}.new${suffix}`), 'incomplete');
  ClusterStore.open(other, systemRandom(), source).close();
  assert.deepEqual(readdirSync(other), [FILE_NAME]);
});

describe('a file that cannot be used is rejected by name', () => {
  const refusal = (reason: string, pattern: RegExp) => (error: unknown) => {
    assert.ok(error instanceof StorageError);
    assert.equal(error.reason, reason);
    assert.match(error.message, pattern);
    assert.ok(error.message.includes(join(dir, FILE_NAME)));
    return true;
  };
  const open = () => ClusterStore.open(dir, systemRandom(), source).close();
  const change = (sql: string) => {
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    db.exec(sql);
    db.close();
  };

  it('written by a newer version', () => {
    change('PRAGMA user_version = 99');
    assert.throws(open, refusal('newer', /was written by a newer version \(format 99/));
  });

  it('of another program', () => {
    change('PRAGMA application_id = 7');
    assert.throws(open, refusal('foreign', /is not a cluster file/));
  });

  it('that is no database', () => {
    store.close();
    writeFileSync(join(dir, FILE_NAME), 'a'.repeat(20_000));
    assert.throws(open, refusal('damaged', /is damaged/));
  });

  it('that lacks the table of a collection', () => {
    const { number } = create();
    change(`DROP TABLE c_${number}`);
    assert.throws(open, refusal('damaged', /is damaged: shop\.things has no table/));
  });
});

describe('a statement', () => {
  it('is interrupted among the index keys of one document, and nothing of it is stored', () => {
    const things = create();
    store.write(() => things.createIndex(RawDocument.from({ v: 2, key: { tags: 1 }, name: 'tags_1' })));
    const stopped = new Error('stopped');
    const before = things.running.watch(() => {
      throw stopped;
    });
    const tags = Array.from({ length: 100 }, (_, tag) => tag);
    assert.throws(() => store.write(() => insert(things, { _id: 1, tags })), stopped);
    things.running.watch(before);
    assert.deepEqual([ids(things), things.documents], [[], 0]);
  });
});
