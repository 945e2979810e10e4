import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { RawDocument } from '../../bson/raw.ts';
import { ClusterStore } from '../cluster-store.ts';
import { FILE_NAME } from '../file/format.ts';
import { idKey } from '../records/id-key.ts';

let dir: string;
let store: ClusterStore;
const source = { now: () => 1_700_000_000_000, term: () => 1 };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'oplog-'));
  store = ClusterStore.open(dir, systemRandom(), source);
});

afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

function entries(): RawDocument[] {
  const found: RawDocument[] = [];
  const stream = store.oplog.scan({ kind: 'natural', reverse: false });
  for (let record = stream.next(); record; record = stream.next()) found.push(record.doc);
  return found;
}

describe('an oplog above its maximum size', () => {
  it('removes its oldest entries and reports its size', () => {
    store.oplog.limit = 20_000;
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    for (let batch = 0; batch < 5; batch++) {
      store.write(() => {
        for (let i = 0; i < 40; i++) {
          const doc = RawDocument.from({ _id: batch * 40 + i, pad: 'x'.repeat(300) });
          collection.insert(idKey(doc), doc);
        }
      });
    }
    const kept = entries();
    const bytes = kept.reduce((sum, { length }) => sum + length, 0);
    assert.ok(bytes <= 20_000 && bytes > 18_000, `${bytes}`);
    assert.equal(kept.at(-1)?.toObject().o._id, 199);
    assert.deepEqual([store.oplog.bytes, store.oplog.documents], [bytes, kept.length]);
    store.close();
    store = ClusterStore.open(dir, systemRandom(), source);
    assert.deepEqual([store.oplog.bytes, store.oplog.documents], [bytes, kept.length]);
    assert.equal(collection.documents, 200);
  });
});

describe('an oplog far above its maximum size', () => {
  const MIB = 1024 * 1024;
  const insert = (count: number, bytes: number) => {
    const collection =
      store.collection('shop', 'things') ?? store.create('shop', 'things', RawDocument.empty);
    for (let i = 0; i < count; i++) {
      const doc = RawDocument.from({ _id: `${store.oplog.last} ${i}`, pad: 'x'.repeat(bytes) });
      collection.insert(idKey(doc), doc);
    }
  };
  const commit = () => store.write(() => {});

  it('removes at most 9 MiB in a commit, and the rest in later commits', () => {
    store.write(() => insert(20, MIB));
    store.oplog.limit = MIB;
    const sizes = [store.oplog.bytes];
    while (store.oplog.exceedsLimit) {
      commit();
      sizes.push(store.oplog.bytes);
    }
    assert.deepEqual(
      sizes.map((bytes) => Math.round(bytes / MIB)),
      [20, 12, 4, 1],
    );
    commit();
    assert.equal(store.oplog.bytes, sizes.at(-1));
  });

  it('removes at most 1,000 rows in a commit', () => {
    store.write(() => {
      for (let i = 0; i < 2_500; i++) store.oplog.appendNoop('n');
    });
    store.oplog.limit = 1;
    const entries = store.oplog.documents;
    commit();
    assert.equal(store.oplog.documents, entries - 1_000);
  });

  it('removes entries while a transaction appends many, so that it does not grow', () => {
    store.oplog.limit = MIB;
    store.write(() => insert(40, MIB));
    assert.ok(store.oplog.bytes < 10 * MIB, `${store.oplog.bytes}`);
    store.write(() => {
      for (let i = 0; i < 20_000; i++) store.oplog.appendNoop('n');
    });
    assert.ok(store.oplog.bytes < 3 * MIB, `${store.oplog.bytes}`);
    const { bytes, documents } = store.oplog;
    assert.throws(() =>
      store.write(() => {
        insert(10, MIB);
        throw new Error('no');
      }),
    );
    assert.deepEqual([store.oplog.bytes, store.oplog.documents], [bytes, documents]);
    assert.equal(entries().length, documents);
  });

  it('keeps entries that are not old enough, and is then not trimmed again and again', () => {
    store.write(() => insert(3, MIB));
    store.oplog.limit = MIB;
    store.oplog.retainedMs = 3_600_000;
    assert.equal(store.oplog.exceedsLimit, false);
  });
});

describe('the size of an oplog', () => {
  const size = () => ({ documents: store.oplog.documents, bytes: store.oplog.bytes });
  const counted = () => {
    const all = entries();
    return { documents: all.length, bytes: all.reduce((sum, { length }) => sum + length, 0) };
  };
  const stored = () => {
    const db = new DatabaseSync(join(dir, FILE_NAME), { readOnly: true });
    const row = db.prepare(`SELECT documents, bytes FROM collections WHERE db = 'local'`).get();
    db.close();
    return { ...row };
  };
  const insert = (from: number, to: number) =>
    store.write(() => {
      const collection =
        store.collection('shop', 'things') ?? store.create('shop', 'things', RawDocument.empty);
      for (let _id = from; _id < to; _id++) {
        const doc = RawDocument.from({ _id });
        collection.insert(idKey(doc), doc);
      }
    });
  const reopen = () => {
    store.close();
    store = ClusterStore.open(dir, systemRandom(), source);
  };

  it('is exact after the file is reopened, and not stored with each commit', () => {
    insert(0, 1);
    const before = stored();
    insert(1, 10);
    insert(10, 20);
    assert.deepEqual(stored(), before);
    reopen();
    assert.deepEqual(size(), counted());
    insert(20, 5_000);
    assert.notDeepEqual(stored(), before);
    reopen();
    assert.deepEqual(size(), counted());
    assert.equal(size().documents, 5_002);
    assert.deepEqual(stored(), size());
  });

  it('is exact when a transaction that would have stored it has failed', () => {
    insert(0, 4_000);
    const failure = new Error('no');
    const fail = () =>
      store.write(() => {
        const collection = store.collection('shop', 'things');
        for (let _id = 5_000; _id < 5_200; _id++) {
          const doc = RawDocument.from({ _id });
          collection?.insert(idKey(doc), doc);
        }
        throw failure;
      });
    assert.throws(fail, failure);
    assert.deepEqual(size(), counted());
    insert(4_000, 4_010);
    reopen();
    assert.deepEqual(size(), counted());
    insert(4_010, 4_200);
    reopen();
    assert.deepEqual(size(), counted());
  });

  it('is exact when entries were removed', () => {
    insert(0, 5_000);
    store.oplog.limit = 50_000;
    insert(5_000, 6_000);
    assert.deepEqual(size(), counted());
    insert(6_000, 9_000);
    reopen();
    assert.deepEqual(size(), counted());
  });
});

describe('a transaction that fails', () => {
  it('removes its entries and reuses their times', () => {
    const { last } = store.oplog;
    const failure = new Error('no');
    assert.throws(
      () =>
        store.write(() => {
          store.create('shop', 'things', RawDocument.empty);
          throw failure;
        }),
      failure,
    );
    assert.equal(store.oplog.last, last);
    assert.equal(entries().length, 1);
    store.write(() => store.create('shop', 'things', RawDocument.empty));
    assert.ok(store.oplog.last > last);
  });
});

describe('an oplog with a minimum retention', () => {
  let now = 1_700_000_000_000;

  beforeEach(() => {
    store.close();
    store = ClusterStore.open(dir, systemRandom(), { now: () => now, term: () => 1 });
    store.oplog.limit = 5_000;
    store.oplog.retainedMs = 3_600_000;
  });

  const fill = (from: number) => {
    const collection =
      store.collection('shop', 'things') ??
      store.write(() => store.create('shop', 'things', RawDocument.empty));
    store.write(() => {
      for (let _id = from; _id < from + 40; _id++) {
        const doc = RawDocument.from({ _id, pad: 'x'.repeat(300) });
        collection.insert(idKey(doc), doc);
      }
    });
  };

  it('exceeds its size until entries are old enough', () => {
    fill(0);
    assert.ok(store.oplog.bytes > 5_000);
    assert.ok(store.oplog.isComplete);
    now += 3_601_000;
    fill(40);
    assert.equal(store.oplog.isComplete, false);
    assert.equal(entries().at(0)?.toObject().o._id, 40);
  });
});

describe('the times of an oplog', () => {
  it('increase even at the end of timestamps and when the clock is set back', () => {
    store.close();
    let now = Date.UTC(9999, 0);
    store = ClusterStore.open(dir, systemRandom(), { now: () => now, term: () => 1 });
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    for (let _id = 0; _id < 10; _id++) {
      if (_id === 5) now = Date.UTC(2026, 0);
      const doc = RawDocument.from({ _id });
      store.write(() => collection.insert(idKey(doc), doc));
    }
    const times = entries().map((entry) => BigInt(String(entry.toObject().ts)));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    assert.ok(Number.isSafeInteger(store.oplog.last));
  });
});

describe('a transaction in the oplog', () => {
  const session = { lsid: RawDocument.from({ id: 1 }), txnNumber: 7n };

  function change(count: number, size: number): void {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    store.write(() =>
      store.oplog.gather(session, () => {
        for (let _id = 0; _id < count; _id++) {
          const doc = RawDocument.from({ _id, pad: 'x'.repeat(size) });
          collection.insert(idKey(doc), doc);
        }
      }),
    );
  }

  it('is one entry', () => {
    change(3, 10);
    const entry = entries().at(-1)?.toObject();
    assert.equal(entry?.op, 'c');
    assert.equal(entry?.ns, 'admin.$cmd');
    assert.equal(entry?.txnNumber, 7n);
    assert.equal(entry?.stmtId, undefined);
    assert.deepEqual(
      entry?.o.applyOps.map(({ op, ns, o }: { op: string; ns: string; o: { _id: number } }) => [
        op,
        ns,
        o._id,
      ]),
      [
        ['i', 'shop.things', 0],
        ['i', 'shop.things', 1],
        ['i', 'shop.things', 2],
      ],
    );
  });

  it('is split into linked entries if one would be too large', () => {
    change(5, 7_000_000);
    const parts = entries().slice(-3);
    const [first, second, last] = parts.map((part) => part.toObject());
    for (const part of parts) assert.ok(part.length < 16 * 1024 * 1024);
    assert.deepEqual(
      [first?.o.partialTxn, second?.o.partialTxn, last?.o.partialTxn],
      [true, true, undefined],
    );
    assert.deepEqual(second?.prevOpTime.ts, first?.ts);
    assert.deepEqual(last?.prevOpTime.ts, second?.ts);
  });

  it('has no entry if it fails', () => {
    const before = entries().length;
    assert.throws(() =>
      store.write(() =>
        store.oplog.gather(session, () => {
          throw new Error('no');
        }),
      ),
    );
    assert.equal(entries().length, before);
  });
});
