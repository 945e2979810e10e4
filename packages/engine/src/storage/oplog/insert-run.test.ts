import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import fc from 'fast-check';
import { bsonTypes } from '../../bson/bson-types.ts';
import { keysOfType } from '../../bson/keys.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ClusterStore } from '../cluster-store.ts';
import { FILE_NAME } from '../file/format.ts';
import { idKey } from '../records/id-key.ts';
import type { RecordStream } from '../records/scan.ts';
import { secondOf } from './time.ts';

const [timestampKey = 0] = keysOfType(bsonTypes.timestamp).low;
const BEGUN = 1_700_000_000_000;
let now = BEGUN;
const dirs: string[] = [];
const stores: ClusterStore[] = [];

beforeEach(() => {
  now = BEGUN;
});

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});

function opened(dir = mkdtempSync(join(tmpdir(), 'runs-'))): ClusterStore {
  const store = ClusterStore.open(
    dir,
    { ...systemRandom(), uuid: () => '0'.repeat(32) },
    {
      now: () => now,
      term: () => 1,
    },
  );
  if (!dirs.includes(dir)) dirs.push(dir);
  stores.push(store);
  return store;
}

/**
 * Opens a store with a tiny oplog. The maximum size of a row is a fraction of that of the oplog, so each row
 * contains a single entry.
 */
function withoutRuns(): ClusterStore {
  const store = opened();
  store.oplog.limit = 1;
  store.oplog.retainedMs = 1_000_000_000;
  return store;
}

function all(stream: RecordStream): Array<readonly [number, string]> {
  const found: Array<readonly [number, string]> = [];
  for (let record = stream.next(); record; record = stream.next()) {
    found.push([record.rid, Buffer.from(record.doc.toBytes()).toString('hex')]);
  }
  return found;
}

const naturally = (store: ClusterStore, reverse = false) =>
  all(store.oplog.scan({ kind: 'natural', reverse }));

function rowsIn(dir: string): number {
  const file = new DatabaseSync(join(dir, FILE_NAME), { readOnly: true });
  const { number } = file.prepare("SELECT number FROM collections WHERE name = 'oplog.rs'").get() ?? {};
  const row = file.prepare(`SELECT count(*) AS n FROM c_${number}`).get();
  file.close();
  return Number(row?.n);
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('insert' as const), count: fc.integer({ min: 1, max: 9 }) }),
  },
  fc.record({ kind: fc.constantFrom('remove', 'replace', 'tick', 'other', 'number', 'commit') }),
  fc.record({ kind: fc.constant('savepoint' as const), fails: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Failed extends Error {}

/** Makes the same changes in each store. */
class Writer {
  readonly #store: ClusterStore;
  #id = 0;
  #number = 0n;

  constructor(store: ClusterStore) {
    this.#store = store;
    store.write(() => {
      for (const name of ['a', 'b']) store.create('shop', name, RawDocument.empty);
    });
  }

  run(steps: readonly Step[], fails: boolean): void {
    for (let from = 0; from < steps.length; ) {
      const end = steps.findIndex(({ kind }, i) => i >= from && kind === 'commit');
      const part = steps.slice(from, end === -1 ? undefined : end);
      from += part.length + 1;
      this.#transaction(part, fails && end === -1);
    }
  }

  #transaction(steps: readonly Step[], fails: boolean): void {
    try {
      this.#store.write(() => {
        for (const one of steps) this.#step(one);
        if (fails) throw new Failed();
      });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
    }
  }

  #step(one: Step): void {
    const store = this.#store;
    const [a, b] = ['a', 'b'].map((name) => store.collection('shop', name));
    if (a === undefined || b === undefined) throw new Error('no collections');
    const insert = (collection = a) => {
      const doc = RawDocument.from({ _id: ++this.#id, pad: 'x'.repeat(this.#id % 50) });
      collection.insert(idKey(doc), doc);
      return doc;
    };
    if (one.kind === 'insert' && 'count' in one)
      for (let i = 0; i < one.count; i++) this.#numbered(i, insert);
    else if (one.kind === 'savepoint' && 'fails' in one) this.#savepoint(one.fails, insert);
    else if (one.kind === 'tick') now += 700;
    else if (one.kind === 'other') insert(b);
    else if (one.kind === 'number') this.#number++;
    else {
      const record = a.find(idKey(insert()));
      if (record === undefined) throw new Error('no document');
      if (one.kind === 'remove') a.remove(record);
      else a.replace(record, RawDocument.from({ _id: this.#id, now: true }));
    }
  }

  #numbered(stmtId: number, insert: () => void): void {
    const { oplog } = this.#store;
    if (this.#number > 0n) oplog.origin = { lsid, txnNumber: this.#number, stmtId };
    insert();
    oplog.origin = undefined;
  }

  #savepoint(fails: boolean, insert: () => void): void {
    try {
      this.#store.savepoint(() => {
        insert();
        insert();
        if (fails) throw new Failed();
      });
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
    }
  }
}

const lsid = RawDocument.from({ id: 'a session' });

describe('inserts in one row of the oplog', () => {
  it('are read like entries in separate rows, under random operations', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.boolean(), (steps, fails) => {
        const write = (open: () => ClusterStore) => {
          now = BEGUN;
          const store = open();
          new Writer(store).run(steps, fails);
          return store;
        };
        const [apart, together] = [write(withoutRuns), write(opened)];
        const expected = naturally(apart);
        assert.deepEqual(naturally(together), expected);
        assert.deepEqual(naturally(together, true), expected.toReversed());
        const { documents, bytes, last } = together.oplog;
        const size = expected.reduce((sum, [, hex]) => sum + hex.length / 2, 0);
        assert.deepEqual([documents, bytes, last], [expected.length, size, expected.at(-1)?.[0]]);
        for (const [at, hex] of expected) {
          const found = together.oplog.entryAt(at);
          assert.equal(Buffer.from(found?.toBytes() ?? []).toString('hex'), hex);
        }
        for (const store of stores.splice(0)) store.close();
      }),
      { numRuns: 15 },
    );
  });
});

describe('a run of inserts', () => {
  function filled(count: number): ClusterStore {
    const store = opened();
    const collection = store.write(() => store.create('shop', 'a', RawDocument.empty));
    store.write(() => {
      for (let _id = 0; _id < count; _id++) {
        const doc = RawDocument.from({ _id, pad: 'x'.repeat(100) });
        collection.insert(idKey(doc), doc);
      }
    });
    return store;
  }

  it('takes few rows', () => {
    filled(1_000);
    assert.ok(rowsIn(dirs[0] as string) < 10);
  });

  it('can be read between any two positions, in both directions', () => {
    const store = filled(40);
    const entries = naturally(store);
    for (const [from, to] of [
      [5, 20],
      [0, 3],
      [39, 41],
      [10, 10],
    ] as const) {
      const behind = all(store.oplog.scanFrom(entries[from]?.[0] ?? 0));
      assert.deepEqual(behind, entries.slice(from));
      const times = { low: endpoint(entries[from]?.[0]), high: endpoint(entries[to]?.[0]) };
      const between = (reverse: boolean) => all(store.oplog.scan({ kind: 'natural', reverse, times }));
      assert.deepEqual(between(false), entries.slice(from, to + 1));
      assert.deepEqual(between(true), entries.slice(from, to + 1).toReversed());
    }
  });

  it('continues at its position after its read-ahead was released', () => {
    const store = filled(40);
    const entries = naturally(store);
    for (const reverse of [false, true]) {
      const stream = store.oplog.scan({ kind: 'natural', reverse });
      const found: number[] = [];
      for (let record = stream.next(); record; record = stream.next()) {
        found.push(record.rid);
        stream.release();
      }
      const positions = entries.map(([position]) => position);
      assert.deepEqual(found, reverse ? positions.toReversed() : positions);
    }
  });

  it('shows uncommitted inserts to readers in the same transaction', () => {
    const store = filled(1);
    const collection = store.collection('shop', 'a');
    store.write(() => {
      const stream = store.oplog.scanFrom(store.oplog.last + 1);
      const doc = RawDocument.from({ _id: 'new' });
      collection?.insert(idKey(doc), doc);
      assert.equal(all(stream).length, 1);
      assert.equal(store.oplog.entryAt(store.oplog.last)?.toObject().o._id, 'new');
    });
  });

  it('is removed as a whole when the oplog is trimmed, which moves the first position', () => {
    const store = filled(400);
    const [first] = naturally(store);
    assert.equal(store.oplog.first, first?.[0]);
    store.oplog.limit = 64 * 1024 * 8;
    const collection = store.collection('shop', 'a');
    for (let batch = 1; batch < 10; batch++) {
      store.write(() => {
        for (let i = 0; i < 400; i++) {
          const doc = RawDocument.from({ _id: batch * 400 + i, pad: 'x'.repeat(100) });
          collection?.insert(idKey(doc), doc);
        }
      });
    }
    const kept = naturally(store);
    const size = kept.reduce((sum, [, hex]) => sum + hex.length / 2, 0);
    assert.deepEqual(
      [store.oplog.first, store.oplog.documents, store.oplog.bytes],
      [kept[0]?.[0], kept.length, size],
    );
    assert.ok(size <= store.oplog.limit && size > store.oplog.limit * 0.9, `${size}`);
    assert.equal(store.oplog.isComplete, false);
  });

  it('ends with the millisecond', () => {
    const store = filled(1);
    const collection = store.collection('shop', 'a');
    store.write(() => {
      for (let _id = 1; _id < 9; _id++) {
        now = BEGUN + _id * 300;
        const doc = RawDocument.from({ _id });
        collection?.insert(idKey(doc), doc);
      }
    });
    const walls = naturally(store).map(([, hex]) => new RawDocument(Buffer.from(hex, 'hex')).toObject().wall);
    assert.deepEqual(
      walls.slice(-8).map((wall) => wall.getTime() - BEGUN),
      [300, 600, 900, 1200, 1500, 1800, 2100, 2400],
    );
    assert.ok(store.oplog.last > secondOf(BEGUN + 2000));
  });
});

function endpoint(position = Number.MAX_SAFE_INTEGER): { key: Uint8Array; inclusive: boolean } {
  const key = new Uint8Array(9);
  const view = new DataView(key.buffer);
  view.setUint8(0, timestampKey);
  view.setUint32(1, Math.floor(position / 2 ** 20));
  view.setUint32(5, position % 2 ** 20);
  return { key, inclusive: true };
}
