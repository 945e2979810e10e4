import assert from 'node:assert/strict';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { systemRandom } from '../../../runtime/random.ts';
import { RawDocument } from '../bson/raw.ts';
import { checkFile } from './check-file.ts';
import { ClusterStore } from './cluster-store.ts';
import { noteFailedCheck, refuseLost } from './damaged-file.ts';
import { FILE_NAME } from './format.ts';
import { idKey } from './id-key.ts';

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
      const doc = RawDocument.from({ _id, pad: 'x'.repeat(1_000) });
      collection.insert(idKey(doc), doc);
    }
  });
  store.close();
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Overwrites a page in the middle. */
function damage(): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(PAGE, 0xab), 0, PAGE, 40 * PAGE);
  closeSync(handle);
}

describe('a file that is checked whole', () => {
  it('is found sound', () => assert.equal(checkFile(file), undefined));

  it('is found damaged in a page that opening it does not read', () => {
    damage();
    open().close();
    assert.match(checkFile(file) ?? '', /./);
  });

  it('stays closed after a check that failed, until somebody has looked', async () => {
    await noteFailedCheck(file, 'row 7 missing from index');
    assert.throws(open, /is damaged \(row 7 missing from index\); remove cluster\.db\.check-failed/);
    rmSync(`${file}.check-failed`);
    open().close();
  });
});

describe('a file that cannot be opened', () => {
  it('is kept beside its place, and no empty one is made in its stead', () => {
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

describe('a file that was made once', () => {
  it('is missed when it is gone, and kept aside when it is empty', () => {
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
