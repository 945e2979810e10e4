import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { KeyFolder } from '@portolan/foundation/keys/key-folder';
import { unwrapKey } from '@portolan/foundation/keys/wrapped-key';
import { systemRandom } from '@portolan/foundation/random';
import { isAbsent } from '@portolan/foundation/thrown';
import type { MongoClient } from 'mongodb';
import { type OplogFrame, type OplogMark, oplogFramesOf } from '../interface/oplog.ts';
import { encodeFrame, framesOf, type SnapshotFrame } from '../interface/snapshot.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { openSnapshot } from './snapshot-contents.ts';
import { allOf } from './testing/all-of.ts';
import { type StartedEngine, startEngine } from './testing/engine.ts';
import { eventually } from './testing/eventually.ts';

/** Names, values and indexed values that no encrypted file may contain. */
const secrets = ['Cormorant', 'eelgrass', 'lamprey', 'SECRETNAME'];
const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

let started: StartedEngine;
let client: MongoClient;
let keys: KeyFolder;

before(async () => {
  started = await startEngine('encryption');
  client = started.connect();
  keys = new KeyFolder(join(started.dataDir, 'keys'), systemRandom());
  await keys.make(first);
  await keys.make(second);
  // Stop the service time. Otherwise a cluster would append an entry to its oplog every ten seconds, even
  // without writes.
  await started.engine.setClock({ at: Date.UTC(2040, 0, 1), since: 0, rate: 0 });
});
after(() => started.stop());

const encrypt = (masterKey?: string) =>
  started.engine.reconfigure({ ...started.spec, ...(masterKey && { encryption: { masterKey } }) });

const birds = () => client.db('SECRETNAME').collection<{ _id: number; name?: string }>('Cormorant');

/** Returns the files below a folder that contain one of the secrets. */
function filesWithSecrets(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => {
      const content = contentOf(path);
      return secrets.some((secret) => content?.includes(secret));
    });
}

/**
 * Returns the content of a file. Returns undefined for a folder, and for a file that the host has removed meanwhile.
 */
function contentOf(path: string): Buffer | undefined {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return undefined;
  }
}

/** Returns the decrypted log of the primary. */
async function logged(): Promise<string> {
  const [member = ''] = (await started.engine.describe(started.clusterId))?.primaries ?? [];
  const pieces = await allOf(
    started.engine.logs(started.clusterId, member, 'db', 0, Number.MAX_SAFE_INTEGER),
  );
  return Buffer.concat(pieces).toString();
}

const fileOf = () => join(started.directory, FILE_NAME);
const keyRecord = () => JSON.parse(readFileSync(join(started.directory, 'cluster.key'), 'utf8'));

async function taken(): Promise<SnapshotFrame[]> {
  return allOf(framesOf(started.engine.snapshot(started.clusterId, [])));
}

async function* sent(frames: readonly SnapshotFrame[]): AsyncGenerator<Uint8Array> {
  for (const frame of frames) yield encodeFrame(frame);
}

function headOf([frame]: readonly SnapshotFrame[]) {
  assert.ok(frame?.kind === 'head');
  return frame.head;
}

async function hashOf() {
  await started.engine.describe(started.clusterId);
  const { collections } = await started.engine.run(started.clusterId, { dbHash: 1, $db: 'SECRETNAME' });
  return collections;
}

suite('an encrypted cluster', () => {
  before(async () => {
    const documents = Array.from({ length: 3_000 }, (_, n) => ({ _id: n, name: `eelgrass ${n}` }));
    await birds().insertMany(documents);
    await birds().createIndex({ name: 1 });
  });

  test('is encrypted and decrypted as configured, with the same contents', async () => {
    const held = await hashOf();
    assert.ok(filesWithSecrets(started.directory).includes(`${fileOf()}-wal`));
    const { state, message } = await encrypt(first);
    assert.deepEqual([state, message], ['running', undefined]);
    assert.deepEqual(await hashOf(), held);
    await client.db('SECRETNAME').command({ profile: 0, slowms: 0 });
    await birds().updateMany({}, { $set: { more: 'lamprey' } });
    await client.db('SECRETNAME').command({ profile: 0, slowms: 100 });
    assert.deepEqual(filesWithSecrets(started.directory), []);
    assert.equal(await birds().countDocuments({ more: 'lamprey' }), 3_000);
    assert.equal((await birds().findOne({ name: 'eelgrass 7' }))?._id, 7);
    assert.equal(keyRecord().masterKey, first);
    const slow = await eventually(logged, (text) => text.includes('lamprey'));
    assert.match(slow, /lamprey/);

    const changed = await hashOf();
    assert.equal((await encrypt()).state, 'running');
    assert.deepEqual(await hashOf(), changed);
    assert.ok(readFileSync(fileOf()).includes('lamprey'));
    assert.ok((await logged()).startsWith(slow));
    assert.equal(existsSync(join(started.directory, 'cluster.key')), false);
    await encrypt(first);
    assert.deepEqual(filesWithSecrets(started.directory), []);
  });

  test('an unknown master key changes nothing', async () => {
    await assert.rejects(
      encrypt('00000000-0000-4000-8000-00000000000f'),
      /cannot be read from the key folder/,
    );
    assert.equal((await started.engine.describe(started.clusterId))?.state, 'running');
    assert.equal(await birds().countDocuments(), 3_000);
    assert.equal(keyRecord().masterKey, first);
  });

  test('a new master key rewraps its key and leaves its file unchanged', async () => {
    await started.engine.pause(started.clusterId);
    const { mtimeMs, ino } = statSync(fileOf());
    const key = await unwrapKey(keys, keyRecord());
    await encrypt(second);
    assert.equal((await started.engine.resume(started.clusterId)).state, 'running');
    assert.equal(keyRecord().masterKey, second);
    assert.deepEqual(await unwrapKey(keys, keyRecord()), key);
    assert.deepEqual([statSync(fileOf()).ino, statSync(fileOf()).mtimeMs], [ino, mtimeMs]);
    assert.equal(await birds().countDocuments(), 3_000);
  });

  test('a missing or wrong master key is reported and changes nothing', async () => {
    const path = join(started.dataDir, 'keys', `${second}.key`);
    await started.engine.pause(started.clusterId);
    const before = readFileSync(fileOf());
    renameSync(path, `${path}.away`);
    const missing = await started.engine.resume(started.clusterId);
    assert.equal(missing.state, 'failed');
    assert.match(missing.message ?? '', /master key 0{8}.*2 cannot be read from the key folder \(ENOENT\)/);
    await keys.make(second);
    const wrong = await started.engine.resume(started.clusterId);
    assert.match(wrong.message ?? '', /is not the one that wrapped this data key/);
    renameSync(`${path}.away`, path);
    assert.equal((await started.engine.resume(started.clusterId)).state, 'running');
    await started.engine.pause(started.clusterId);
    assert.ok(before.equals(readFileSync(fileOf())));
    await started.engine.resume(started.clusterId);
    assert.equal(await birds().countDocuments(), 3_000);
  });

  test('a snapshot of it, taken during writes, is encrypted, contains no names, and can be restored', async () => {
    let writing = true;
    const writer = (async () => {
      for (let n = 10_000; writing; n++) await birds().insertOne({ _id: n, name: `eelgrass ${n}` });
    })();
    const frames: SnapshotFrame[][] = [];
    for (let n = 0; n < 3; n++) frames.push(await taken());
    writing = false;
    await writer;
    const folder = mkdtempSync(join(tmpdir(), 'portolan-sealed-'));
    try {
      for (const each of frames) {
        const bytes = Buffer.concat(each.map(encodeFrame));
        for (const secret of secrets) assert.ok(!bytes.includes(secret));
        const { key, position } = headOf(each);
        assert.equal(key?.masterKey, second);
        assert.ok(position.seconds > 0);
        assert.ok(key);
        await using contents = await openSnapshot(sent(each), { folder, key: await unwrapKey(keys, key) });
        assert.deepEqual(
          contents.collections.map(({ name }) => name),
          ['Cormorant', 'system.version'],
        );
        assert.deepEqual(filesWithSecrets(folder), []);
      }
      await assert.rejects(openSnapshot(sent(frames[0] ?? []), { folder, key: new Uint8Array(32) }));
    } finally {
      rmSync(folder, { recursive: true });
    }
    const [one, two] = [await taken(), await taken()];
    const hashes = (of: readonly SnapshotFrame[]) =>
      of.flatMap((frame) => (frame.kind === 'chunk' ? [frame.hash] : []));
    assert.deepEqual(hashes(one), hashes(two));

    const held = await hashOf();
    await birds().deleteMany({});
    const { key } = headOf(two);
    const { collections } = await started.engine.restore(started.clusterId, key, [], sent(two));
    assert.deepEqual(
      collections.map(({ name }) => name),
      ['Cormorant'],
    );
    assert.deepEqual(await hashOf(), held);
    assert.deepEqual(filesWithSecrets(started.directory), []);
  });

  test('a snapshot can be restored to clusters with another encryption, which they keep', async () => {
    const sealed = await taken();
    const held = await hashOf();
    await encrypt();
    await birds().deleteMany({});
    const { key } = headOf(sealed);
    await started.engine.restore(started.clusterId, key, [], sent(sealed));
    assert.deepEqual(await hashOf(), held);
    const clear = await taken();
    assert.equal(headOf(clear).key, undefined);
    await encrypt(first);
    const { wrapped } = keyRecord();
    await started.engine.restore(started.clusterId, undefined, [], sent(clear));
    assert.deepEqual(await hashOf(), held);
    await started.engine.restore(started.clusterId, key, [], sent(sealed));
    assert.deepEqual(await hashOf(), held);
    assert.equal(keyRecord().wrapped, wrapped);
    assert.deepEqual(filesWithSecrets(started.directory), []);
  });

  test('its oplog is exported encrypted and replayed with the keys of both', async () => {
    const oplog = async (after?: OplogMark) => {
      const frames: OplogFrame[] = [];
      const bytes = started.engine.oplog(started.clusterId, after);
      for await (const frame of oplogFramesOf(bytes)) frames.push(frame);
      const end = frames.at(-1);
      assert.ok(end?.kind === 'end');
      return { segments: frames.filter((frame) => frame.kind === 'segment'), to: end.to };
    };
    const { to: after } = await oplog();
    assert.deepEqual(await oplog(after), { segments: [], to: after });
    const [head, ...others] = await taken();
    assert.ok(head?.kind === 'head');
    await birds().insertOne({ _id: 5e6, name: 'Petrel' });
    const held = await hashOf();
    const { segments, to } = await oplog(after);
    const oplogKeys = segments.flatMap(({ segment }) => segment.key ?? []);
    assert.equal(oplogKeys.length, 1);
    await birds().deleteMany({});
    const frames: SnapshotFrame[] = [
      { ...head, head: { ...head.head, replay: { after, until: to } } },
      ...others,
      ...segments.map((segment) => ({ ...segment, kind: 'oplog' }) as const),
      { kind: 'replayed', to },
    ];
    const restore = (keys: typeof oplogKeys) =>
      started.engine.restore(started.clusterId, head.head.key, keys, sent(frames));
    await assert.rejects(restore([]), /no key decrypts the oplog/);
    await restore(oplogKeys);
    assert.deepEqual(await hashOf(), held);
    assert.deepEqual(filesWithSecrets(started.directory), []);
  });

  test('after a kill during reencryption it has the old file or the new one', async () => {
    const text = 'eelgrass'.repeat(1_000);
    await birds().insertMany(Array.from({ length: 1_500 }, (_, n) => ({ _id: 1e6 + n, text })));
    const held = await hashOf();
    const folder = join(started.directory, 'temporary');
    const written = () =>
      existsSync(folder) &&
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith(FILE_NAME));
    /**
     * Kills the host while it encrypts, decrypts or rekeys the file. Returns false if the host had already finished.
     */
    const killDuring = async (masterKey: string | undefined) => {
      let isWhole = false;
      const changed = encrypt(masterKey).then(
        () => {
          isWhole = true;
        },
        () => {},
      );
      // The change takes more than a hundred milliseconds, so this pause is short enough. Shorter pauses would take CPU
      // time from the host.
      while (!written() && !isWhole) await setTimeout(2);
      const isLate = isWhole;
      if (!isLate) await started.kill();
      // The engine starts the next host, which completes the change of the file.
      await changed;
      return !isLate;
    };
    for (const [masterKey, other] of [
      [undefined, first],
      [first, undefined],
    ]) {
      while (!(await killDuring(masterKey))) await encrypt(other);
      assert.equal((await encrypt(masterKey)).state, 'running');
      assert.deepEqual(await hashOf(), held);
      assert.equal(written(), false);
      assert.equal(filesWithSecrets(started.directory).length > 0, masterKey === undefined);
    }
  });
});
