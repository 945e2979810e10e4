import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { compileCollation } from '../../bson/collation/index.ts';
import { RawDocument } from '../../bson/raw.ts';
import { noEnvironment } from '../../language/environment.ts';
import { compileFilter } from '../../language/filter/index.ts';
import { plan } from '../../planner/plan.ts';
import { ClusterStore } from '../cluster-store.ts';
import type { Collection } from '../collection/collection.ts';
import { FILE_NAME } from '../file/format.ts';
import { everyKey } from '../model/range.ts';
import { idKey } from '../records/id-key.ts';
import { canDecodeValues } from './covered.ts';

let dir: string;
let store: ClusterStore;
const open = () => ClusterStore.open(dir, systemRandom(), { now: () => 0, term: () => 1 });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'indexes-'));
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const spec = RawDocument.from({ v: 2, key: { a: 1 }, name: 'a' });

function insert(collection: Collection, ...values: unknown[]): void {
  for (const [i, a] of values.entries()) {
    const doc = RawDocument.from({ _id: collection.documents + i, a });
    collection.insert(idKey(doc), doc);
  }
}

describe('a wildcard index', () => {
  const wildcard = RawDocument.from({ v: 2, key: { '$**': 1 }, name: 'w' });
  const created = () => {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    return { collection, index: store.write(() => collection.createIndex(wildcard)) };
  };
  const reopened = () => {
    store.close();
    store = open();
    const [index] = store.collection('shop', 'things')?.indexes ?? [];
    return (path: string) => [...(index?.arraysOn(path) ?? [])];
  };

  it('records the paths of arrays, restores them after a failed write, and keeps them', () => {
    const { collection, index } = created();
    store.write(() => insert(collection, [1, 2], { b: [{ c: 1 }] }));
    const failed = () =>
      store.write(() => {
        insert(collection, { d: [] });
        throw new Error('no');
      });
    assert.throws(failed, /no/);
    const paths = ['a', 'a.b.c', 'a.d', 'x'];
    assert.deepEqual(
      paths.map((path) => [...index.arraysOn(path)]),
      [[1], [1, 2], [1], []],
    );
    assert.deepEqual(paths.map(reopened()), [[1], [1, 2], [1], []]);
  });

  it('of a file in an earlier format may have arrays at all paths', () => {
    const { collection } = created();
    store.write(() => insert(collection, [1, 2]));
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    db.exec("UPDATE indexes SET multikey = '[[0]]'; PRAGMA user_version = 12");
    db.close();
    store = open();
    assert.deepEqual(['a', 'x.y'].map(reopened()), [[1], [1, 2]]);
  });

  it('may have arrays at all paths if it has them at very many', () => {
    const { collection, index } = created();
    const fields = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`f${from + i}`, [1]]));
    store.write(() => insert(collection, fields(0, 1_000)));
    assert.deepEqual([...index.arraysOn('b')], []);
    store.write(() => insert(collection, fields(1_000, 1_001)));
    assert.deepEqual([...index.arraysOn('b')], [1]);
    assert.deepEqual(['b'].map(reopened()), [[1]]);
  });
});

describe('the indexes of a collection', () => {
  it('and their multikey paths are restored after a failed write, and kept after reopening', () => {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    const index = store.write(() => collection.createIndex(spec));
    const failed = () =>
      store.write(() => {
        insert(collection, [1, 2]);
        collection.dropIndex(index);
        throw new Error('no');
      });
    assert.throws(failed, /no/);
    assert.deepEqual(collection.indexes, [index]);
    assert.deepEqual([...(index.multikey[0] ?? [])], []);
    assert.equal(collection.countIn(index, [everyKey]), 0);
    store.write(() => insert(collection, [1, 2], 3));
    store.close();
    store = open();
    const [kept] = store.collection('shop', 'things')?.indexes ?? [];
    assert.deepEqual([...(kept?.multikey[0] ?? [])], [1]);
    assert.equal(kept && store.collection('shop', 'things')?.countIn(kept, [everyKey]), 2);
  });

  it('are built from existing documents, and dropped with their collection', () => {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    store.write(() => insert(collection, 5, 6, 7));
    const index = store.write(() => collection.createIndex(spec));
    assert.deepEqual(collection.checkIndex(index), { keys: 3, missing: [], extra: 0 });
    store.write(() => store.drop(collection));
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'i\\_%' ESCAPE '\\'").all();
    assert.deepEqual([tables, db.prepare('SELECT * FROM indexes').all()], [[], []]);
    db.close();
    store = open();
  });

  it('can be created in a file of a version without indexes', () => {
    store.write(() => store.create('shop', 'things', RawDocument.empty));
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    undoLaterFormats(db);
    db.exec('DROP TABLE indexes; PRAGMA user_version = 3');
    db.close();
    store = open();
    const collection = store.collection('shop', 'things');
    assert.ok(collection);
    assert.equal(store.write(() => collection.createIndex(spec)).name, 'a');
  });

  it('have no value types if an older version created them', () => {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    const made = store.write(() => collection.createIndex(spec));
    store.write(() => insert(collection, 5));
    assert.deepEqual(made.types, [1]);
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    undoLaterFormats(db);
    db.exec('ALTER TABLE indexes DROP COLUMN types; PRAGMA user_version = 4');
    db.close();
    store = open();
    const reopened = store.collection('shop', 'things');
    const [index] = reopened?.indexes ?? [];
    assert.ok(reopened && index);
    store.write(() => insert(reopened, 6));
    assert.equal(index.types, undefined);
    assert.equal(canDecodeValues(index, new Set([0])), false);
    assert.equal(reopened.countIn(index, [everyKey]), 2);
  });

  it('have no value types if an older version did not record those of documents with arrays', () => {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    const [, b] = ['a', 'b'].map((name) =>
      store.write(() => collection.createIndex(RawDocument.from({ v: 2, key: { [name]: 1, c: 1 }, name }))),
    );
    assert.ok(b);
    const doc = RawDocument.from({ _id: 1, a: 1, b: [1, 2], c: 3 });
    store.write(() => collection.insert(idKey(doc), doc));
    assert.deepEqual(
      [b.types, canDecodeValues(b, new Set([1])), canDecodeValues(b, new Set([0]))],
      [[1, 1], true, false],
    );
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    db.exec('PRAGMA user_version = 11');
    db.close();
    store = open();
    const types = store.collection('shop', 'things')?.indexes.map((index) => index.types);
    assert.deepEqual(types, [[1, 1], undefined]);
  });

  const versions: ReadonlyArray<readonly [name: string, sql: string]> = [
    ['an earlier format', 'ALTER TABLE indexes DROP COLUMN collation_version; PRAGMA user_version = 10'],
    ['another version of the collation', "UPDATE indexes SET collation_version = 'ICU 1, CLDR 1'"],
  ];
  for (const [name, sql] of versions) {
    it(`are built again if their keys are of ${name}`, () => {
      const collation = { locale: 'en', strength: 1 };
      const collated = RawDocument.from({ ...spec.toObject(), collation, unique: true });
      const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
      const { table } = store.write(() => collection.createIndex(collated));
      store.write(() => insert(collection, 'b', 'A'));
      store.close();
      const db = new DatabaseSync(join(dir, FILE_NAME));
      // Store keys that the present version would not compute.
      db.exec(`UPDATE ${table} SET key = CAST(key || x'01' AS BLOB); ${sql}`);
      db.close();
      store = open();
      const reopened = store.collection('shop', 'things');
      const [index] = reopened?.indexes ?? [];
      assert.ok(reopened && index);
      assert.deepEqual(reopened.checkIndex(index), { keys: 2, missing: [], extra: 0 });
      const comparison = compileCollation(RawDocument.from(collation));
      const filter = compileFilter(RawDocument.from({ a: 'B' }), {
        ...noEnvironment,
        ...(comparison && { comparison }),
      });
      assert.equal(plan(filter, { collection: reopened }).path.kind, 'index');
      const equal = RawDocument.from({ _id: 'equal', a: 'a' });
      assert.throws(() => store.write(() => reopened.insert(idKey(equal), equal)), { code: 11_000 });
      store.close();
      store = open();
      assert.equal(store.collection('shop', 'things')?.indexes[0]?.outdated, false);
    });
  }

  it('over a wildcard and other fields are built again if an earlier format lacks some keys', () => {
    const key = { k: 1, 'a.$**': 1 };
    const wildcard = RawDocument.from({ v: 2, key, name: 'w' });
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    const { table } = store.write(() => collection.createIndex(wildcard));
    for (const [_id, doc] of [{ k: 1 }, { k: null }, { k: 1, a: { x: 2 } }, { b: 1 }].entries()) {
      const document = RawDocument.from({ _id, ...doc });
      store.write(() => collection.insert(idKey(document), document));
    }
    store.close();
    const db = new DatabaseSync(join(dir, FILE_NAME));
    db.exec(`DELETE FROM ${table} WHERE rid < 3; PRAGMA user_version = 13`);
    db.close();
    store = open();
    const reopened = store.collection('shop', 'things');
    const [index] = reopened?.indexes ?? [];
    assert.ok(reopened && index);
    assert.equal(index.outdated, false);
    assert.deepEqual(reopened.checkIndex(index), { keys: 3, missing: [], extra: 0 });
  });

  it('keep _id unique under a collation, also in the file of an earlier version, which may contain equal values', () => {
    const options = RawDocument.from({ collation: { locale: 'en', strength: 1 } });
    const add = (to: Collection, _id: string) => {
      const doc = RawDocument.from({ _id });
      return store.write(() => to.insert(idKey(doc), doc));
    };
    const collection = store.write(() => store.create('shop', 'things', options));
    add(collection, 'a');
    assert.throws(() => add(collection, 'A'), { code: 11_000 });
    assert.deepEqual(collection.indexes, []);
    const [internal] = collection.keptIndexes;
    assert.ok(internal);
    store.write(() => collection.dropIndex(internal));
    add(collection, 'A');
    store.close();
    store = open();
    const reopened = store.collection('shop', 'things');
    assert.ok(reopened);
    assert.throws(() => add(reopened, 'á'), { code: 11_000 });
    assert.equal(reopened.documents, 2);
    assert.equal(reopened.lacksUniqueId, false);
    store.write(() => store.drop(reopened));
    assert.equal(store.collection('shop', 'things'), undefined);
  });

  it('drop the value types of a failed write', () => {
    const collection = store.write(() => store.create('shop', 'things', RawDocument.empty));
    const index = store.write(() => collection.createIndex(spec));
    const failing = () =>
      store.write(() => {
        insert(collection, 5);
        throw new Error('stop');
      });
    assert.throws(failing, /stop/);
    assert.deepEqual(index.types, [0]);
  });
});

/** Removes what formats after 5 have added. */
function undoLaterFormats(db: DatabaseSync): void {
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE name = 'images' OR name GLOB 'c_[0-9]*'")
    .all();
  for (const { name } of tables) db.exec(`ALTER TABLE ${name} DROP COLUMN checksum`);
  db.exec('DROP TABLE search_indexes; ALTER TABLE collections DROP COLUMN counted');
  db.exec('ALTER TABLE indexes DROP COLUMN collation_version');
}
