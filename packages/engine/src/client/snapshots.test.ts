import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { deserialize } from 'bson';
import { type MongoClient, Timestamp } from 'mongodb';
import { extendedJsonLines } from '../bson/extended-json.ts';
import { type OplogFrame, type OplogMark, oplogFramesOf } from '../interface/oplog.ts';
import { encodeFrame, framesOf, type SnapshotFrame } from '../interface/snapshot.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { openSnapshot } from './snapshot-contents.ts';
import { allOf } from './testing/all-of.ts';
import { type StartedEngine, startEngine } from './testing/engine.ts';
import { eventually } from './testing/eventually.ts';

let started: StartedEngine;
let client: MongoClient;

before(async () => {
  started = await startEngine('snapshots');
  client = started.connect();
  // Stop the service time. Otherwise a cluster would append an entry to its oplog every ten seconds, even
  // without writes.
  await started.engine.setClock({ at: Date.UTC(2040, 0, 1), since: 0, rate: 0 });
});
after(() => started.stop());

async function taken(known: readonly string[] = []): Promise<SnapshotFrame[]> {
  const frames: SnapshotFrame[] = [];
  for await (const frame of framesOf(started.engine.snapshot(started.clusterId, known))) frames.push(frame);
  return frames;
}

async function archived(after?: OplogMark) {
  const frames: OplogFrame[] = [];
  for await (const frame of oplogFramesOf(started.engine.oplog(started.clusterId, after))) frames.push(frame);
  const [head, end] = [frames[0], frames.at(-1)];
  assert.ok(head?.kind === 'head' && end?.kind === 'end');
  return { head: head.head, segments: frames.filter((frame) => frame.kind === 'segment'), to: end.to };
}

async function* sent(frames: readonly SnapshotFrame[]): AsyncGenerator<Uint8Array> {
  for (const frame of frames) yield encodeFrame(frame);
}

const restore = (frames: readonly SnapshotFrame[]) =>
  started.engine.restore(started.clusterId, undefined, [], sent(frames));

const hashesOf = (frames: readonly SnapshotFrame[]) =>
  frames.flatMap((frame) => (frame.kind === 'chunk' || frame.kind === 'known' ? [frame.hash] : []));

/** Returns the server's digest of a database and of each of its collections, as soon as the cluster is open. */
async function hashOf(database: string) {
  await started.engine.describe(started.clusterId);
  const { collections, md5 } = await started.engine.run(started.clusterId, { dbHash: 1, $db: database });
  return { collections, md5 };
}

const pier = () => client.db('harbour').collection<{ _id: number; text: string }>('pier');
const leftovers = () => {
  const folder = join(started.directory, 'temporary');
  return existsSync(folder) ? readdirSync(folder) : [];
};

suite('a snapshot', () => {
  before(async () => {
    const documents = Array.from({ length: 4_000 }, (_, n) => ({ _id: n, text: `mole ${n}`.repeat(40) }));
    await pier().insertMany(documents);
    await pier().createIndex({ text: 1 }, { name: 'by text' });
    await client.db('harbour').createCollection('log', { capped: true, size: 100_000 });
    await client.db('harbour').collection('log').insertOne({ n: 1 });
  });

  test('restores the contents of a cluster, with its indexes and options', async () => {
    const before = await hashOf('harbour');
    const frames = await taken();
    await pier().drop();
    await client.db('harbour').collection('log').insertOne({ n: 2 });
    await client.db('elsewhere').collection('made').insertOne({ later: true });

    const { collections } = await restore(frames);
    assert.deepEqual(
      collections.map(({ database, name, documents }) => [database, name, documents]),
      [
        ['harbour', 'log', 1],
        ['harbour', 'pier', 4_000],
      ],
    );
    assert.deepEqual(await hashOf('harbour'), before);
    assert.deepEqual(
      (await pier().listIndexes().toArray()).map(({ name }) => name),
      ['_id_', 'by text'],
    );
    assert.equal((await client.db('harbour').collection('log').options()).capped, true);
    assert.equal(await client.db('elsewhere').collection('made').countDocuments(), 0);
    await pier().insertOne({ _id: 10_000, text: 'writes continue' });
    assert.deepEqual(leftovers(), []);
  });

  test('is consistent during writes', async () => {
    const counted = client.db('harbour').collection<{ _id: number; n: number }>('counted');
    const twin = client.db('harbour').collection<{ _id: number; n: number }>('twin');
    let writing = true;
    let rounds = 0;
    const writer = client.withSession(async (session) => {
      for (; writing; rounds++) {
        await session.withTransaction(async () => {
          await counted.insertOne({ _id: rounds, n: rounds }, { session });
          await twin.insertOne({ _id: rounds, n: rounds }, { session });
        });
      }
    });
    while (rounds < 20) await Promise.race([writer, setTimeout(1)]);
    const frames = await taken();
    writing = false;
    await writer;
    const end = frames.at(-1);
    assert.ok(end?.kind === 'end');
    const documents = new Map(end.end.collections.map(({ name, documents }) => [name, documents]));
    assert.equal(documents.get('counted'), documents.get('twin'));

    const head = frames[0];
    assert.ok(head?.kind === 'head');
    const { seconds, increment } = head.head.position;
    const entries = client.db('local').collection<{ ts: Timestamp }>('oplog.rs');
    const position = new Timestamp({ t: seconds, i: increment });
    assert.equal(await entries.countDocuments({ ts: position }), 1);
  });

  test('sends only what the receiver lacks', async () => {
    const frames = await taken();
    const again = await taken(hashesOf(frames));
    assert.equal(again.filter(({ kind }) => kind === 'chunk').length, 0);
    assert.deepEqual(hashesOf(again), hashesOf(frames));
    await pier().updateOne({ _id: 3_999 }, { $set: { text: 'changed' } });
    const changed = (await taken(hashesOf(frames))).filter(({ kind }) => kind === 'chunk').length;
    assert.ok(changed > 0 && changed < hashesOf(frames).length, `${changed} chunks`);
  });

  test('is not taken again without writes, with or without an oplog', async () => {
    const state = async () => {
      const [head] = await taken();
      assert.ok(head?.kind === 'head' && head.head.state !== undefined);
      return head.head.state;
    };
    const isSame = async (state: string) => (await taken([state]))[0]?.kind === 'same';
    const before = await state();
    assert.deepEqual(await taken([before]), [{ kind: 'same' }]);
    await pier().find({ _id: 1 }).toArray();
    assert.equal(await isSame(before), true);
    await client.db('harbour').command({ profile: 2 });
    const profiled = await state();
    await pier().find({ _id: 1 }).toArray();
    await client.db('harbour').command({ profile: 0 });
    // The profiler stores its documents after the reply, so wait for them.
    assert.equal(
      await eventually(
        () => isSame(profiled),
        (same) => !same,
      ),
      false,
    );

    const between = await state();
    await started.kill();
    await started.engine.describe(started.clusterId);
    await pier().insertOne({ _id: 20_000, text: 'after a kill' });
    assert.equal(await isSame(between), false);
    const after = await state();
    assert.equal(await isSame(after), true);
    // A pause checkpoints the WAL. When the cluster resumes, it starts a new WAL.
    await started.engine.pause(started.clusterId);
    await started.engine.resume(started.clusterId);
    await pier().deleteOne({ _id: 20_000 });
    assert.equal(await isSame(after), false);
  });

  test('that is damaged or truncated leaves the cluster unchanged', async () => {
    const frames = await taken();
    const before = await hashOf('harbour');
    const [first] = frames.filter((frame) => frame.kind === 'chunk');
    assert.ok(first);
    const damaged = frames.map((frame) => (frame === first ? { ...first, hash: '0'.repeat(64) } : frame));
    await assert.rejects(restore(damaged), /chunk 0{64} is damaged/);
    const flipped = Buffer.from(first.content);
    flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
    const broken = frames.map((frame) => (frame === first ? { ...first, content: flipped } : frame));
    await assert.rejects(restore(broken), new RegExp(`chunk ${first.hash} is damaged`));
    await assert.rejects(restore(frames.slice(0, -1)), /the snapshot is truncated/);
    await assert.rejects(restore(frames.filter((frame) => frame !== first)), /bytes/);
    const wrong = frames.map((frame) =>
      frame.kind === 'end' ? { ...frame, end: { collections: [] } } : frame,
    );
    await assert.rejects(restore(wrong), /the restored data differ from the snapshot/);
    assert.deepEqual(await hashOf('harbour'), before);
    assert.deepEqual(leftovers(), []);
  });

  test('restores a point in time with the oplog', async () => {
    const begun = await archived();
    assert.deepEqual([begun.head.whole, begun.segments.length], [false, 0]);
    const unchanged = await archived(begun.to);
    assert.deepEqual(unchanged, {
      head: { format: 1, after: begun.to, whole: true },
      segments: [],
      to: begun.to,
    });
    const frames = await taken();
    const moored = client.db('harbour').collection<{ _id: number }>('moored');
    await moored.insertMany([{ _id: 1 }, { _id: 2 }]);
    const wanted = await hashOf('harbour');
    const until = (await archived(begun.to)).to;
    await moored.drop();
    await pier().deleteMany({});
    const behind = await archived(begun.to);
    assert.ok(behind.head.whole && behind.segments.length > 0);

    const [head, ...others] = frames;
    assert.ok(head?.kind === 'head');
    const sentBack = [
      { ...head, head: { ...head.head, replay: { after: begun.to, until } } },
      ...others,
      ...behind.segments.map((segment) => ({ ...segment, kind: 'oplog' }) as const),
      { kind: 'replayed', to: behind.to } as const,
    ];
    await assert.rejects(restore(sentBack.slice(0, -1)), /the oplog is truncated/);
    assert.equal(await pier().countDocuments(), 0);
    const { collections } = await restore(sentBack);
    assert.equal(collections.find(({ name }) => name === 'moored')?.documents, 2);
    assert.deepEqual(await hashOf('harbour'), wanted);
    // The restore has removed later oplog entries, and this insert takes their place.
    await moored.insertOne({ _id: 3 });
    const gone = await archived(behind.to);
    assert.deepEqual([gone.head.whole, gone.segments.length], [false, 0]);
    assert.equal((await archived(until)).head.whole, true);
    assert.deepEqual(leftovers(), []);
  });

  test('survives the end of the host during a restore', async () => {
    const frames = await taken();
    const before = await hashOf('harbour');
    const half = Math.floor(frames.length / 2);
    async function* cut() {
      yield* sent(frames.slice(0, half));
      await started.kill();
      yield* sent(frames.slice(half));
    }
    await assert.rejects(started.engine.restore(started.clusterId, undefined, [], cut()));
    assert.deepEqual(await hashOf('harbour'), before);
    await restore(frames);
    assert.deepEqual(await hashOf('harbour'), before);
    assert.deepEqual(leftovers(), []);
    assert.ok(existsSync(join(started.directory, FILE_NAME)));
  });
});

suite('a snapshot that is read', () => {
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-read-'));
    const quay = client.db('quay');
    await quay
      .collection<{ _id: number }>('boats')
      .insertMany(Array.from({ length: 3_000 }, (_, n) => ({ _id: n, text: 'x'.repeat(500) })));
    await quay.collection('boats').createIndex({ text: 1 }, { name: 'by text' });
    await quay.createCollection('long', { viewOn: 'boats', pipeline: [{ $match: { _id: 1 } }] });
    await quay.createCollection('tides', { timeseries: { timeField: 'at', metaField: 'pier' } });
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
    await quay.collection('tides').insertMany([1, 2, 20].map((n) => ({ at: at(n), pier: 'a', height: n })));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const sources = () => started.engine.snapshot(started.clusterId, []);

  test('lists its contents and yields its documents', async () => {
    await using contents = await openSnapshot(sources(), { folder });
    const own = contents.collections.filter(({ database }) => database === 'quay');
    const described = own.map(({ metadata, ...rest }) => ({
      ...(deserialize(metadata) as Metadata),
      ...rest,
    }));
    const uuids = await client.db('quay').listCollections().toArray();
    const uuidOf = (name: string) => {
      const found = uuids.find((each) => each.name === name);
      return found && 'info' in found ? found.info?.uuid?.toString('hex') : undefined;
    };
    const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
    const common = { database: 'quay', options: {}, indexes: [idIndex] };
    const named = (name: string, type: string) => ({ name, type, collectionName: name });
    assert.deepEqual(
      described.find(({ name }) => name === 'boats'),
      {
        ...common,
        ...named('boats', 'collection'),
        indexes: [idIndex, { v: 2, key: { text: 1 }, name: 'by text' }],
        uuid: uuidOf('boats'),
      },
    );
    assert.deepEqual(
      described.find(({ name }) => name === 'long'),
      {
        ...common,
        ...named('long', 'view'),
        options: { viewOn: 'boats', pipeline: [{ $match: { _id: 1 } }] },
        indexes: [],
      },
    );
    const tides = described.find(({ name }) => name === 'tides');
    assert.deepEqual([tides?.type, tides?.uuid], ['timeseries', uuidOf('system.buckets.tides')]);
    assert.deepEqual(
      tides?.indexes.map(({ name }) => name),
      ['pier_1_at_1'],
    );

    const documentsOf = async (wanted: string) => {
      const found = own.find(({ name }) => name === wanted);
      assert.ok(found);
      const [share, ...others] = await contents.shares(found);
      assert.deepEqual([others, share?.shard ?? ''], [[], '']);
      const batches = await allOf(contents.documents(found));
      const documents = batches.flatMap(({ bytes }) => split(bytes));
      assert.equal(documents.length, share?.documents ?? 0);
      assert.equal(
        documents.reduce((sum, each) => sum + each.length, 0),
        share?.bytes ?? 0,
      );
      return documents.map((each) => deserialize(each));
    };
    const boats = await documentsOf('boats');
    assert.deepEqual([boats[0]?._id, boats[2_999]?._id, boats.length], [0, 2_999, 3_000]);
    assert.deepEqual(
      (await documentsOf('tides')).map(({ height }) => height),
      [1, 2, 20],
    );
    assert.deepEqual(
      (await documentsOf('system.buckets.tides')).map(({ meta }) => meta),
      ['a', 'a', 'a'],
    );
    assert.deepEqual(await documentsOf('long'), []);
  });

  test('leaves no file behind, whether read to its end, abandoned, cancelled or rejected', async () => {
    const contents = await openSnapshot(sources(), { folder });
    const [first] = contents.collections;
    assert.ok(first);
    for await (const _batch of contents.documents(first)) break;
    for (const each of contents.collections) {
      const [documents, lines] = [[], []] as [string[], string[]];
      for await (const { bytes } of contents.documents(each)) documents.push(extendedJsonLines(bytes));
      for await (const { bytes } of contents.lines(each)) lines.push(Buffer.from(bytes).toString());
      assert.deepEqual(lines, documents);
    }
    assert.equal(readdirSync(folder).length, 1);
    await contents[Symbol.asyncDispose]();
    await assert.rejects(contents.shares(first), /is closed/);

    const control = new AbortController();
    const cancelled = await openSnapshot(sources(), { folder, signal: control.signal });
    const reading = cancelled.documents(first);
    control.abort();
    await assert.rejects(reading.next(), /cancelled/);
    await cancelled[Symbol.asyncDispose]();
    await assert.rejects(openSnapshot(sources(), { folder, signal: control.signal }), /abort/);

    const frames = await taken();
    await assert.rejects(openSnapshot(sent(frames.slice(0, -1)), { folder }), /is truncated/);
    async function* failing() {
      yield* sent(frames.slice(0, 2));
      throw new Error('the store is away');
    }
    await assert.rejects(openSnapshot(failing(), { folder }), /the store is away/);
    assert.deepEqual(readdirSync(folder), []);
  });
});

/** Splits concatenated BSON documents. */
function split(bytes: Uint8Array): Uint8Array[] {
  const documents: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = Buffer.from(bytes.buffer, bytes.byteOffset).readInt32LE(at);
    documents.push(bytes.subarray(at, at + length));
    at += length;
  }
  return documents;
}

interface Metadata {
  readonly options: object;
  readonly indexes: ReadonlyArray<{ readonly name: string }>;
  readonly uuid?: string;
  readonly collectionName: string;
}
