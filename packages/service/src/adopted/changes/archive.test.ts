import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  type OplogMark,
  type OplogPosition,
  oplogFramesOf,
  type SentSegment,
} from '@portolan/engine/management';
import { machineClock } from '@portolan/foundation/clock';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { BSON, type Document, MongoClient } from 'mongodb';
import { replayChanges } from '../../replication/index.ts';
import { archiveFrames } from './archive.ts';
import { changesIn, markAt } from './segments.ts';

/** The greatest size of a stored document. */
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

const clients: MongoClient[] = [];
const leave = () => Promise.all(clients.splice(0).map((client) => client.close()));
const [sourceUri, targetUri] = [engineAlone(leave), engineAlone()];
let source: MongoClient;
let target: MongoClient;
before(async () => {
  source = await MongoClient.connect(sourceUri(), LONG_TIMEOUTS);
  target = await MongoClient.connect(targetUri(), LONG_TIMEOUTS);
  clients.push(source, target);
});

/** A document with a number as its id, and any other fields. */
interface Numbered {
  readonly _id: number;
  readonly [field: string]: unknown;
}

const { signal } = new AbortController();
const parts = { machine: machineClock(), signal };

/** Archives the changes after a mark. */
async function archived(after: OplogMark | OplogPosition | undefined, quietSeconds?: number) {
  const segments: SentSegment[] = [];
  let [isWhole, to]: [boolean, OplogMark | undefined] = [false, undefined];
  for await (const frame of oplogFramesOf(archiveFrames(source, after, { ...parts, quietSeconds }))) {
    if (frame.kind === 'head') isWhole = frame.head.whole;
    else if (frame.kind === 'segment') segments.push(frame);
    else ({ to } = frame);
  }
  assert.ok(to);
  return { isWhole, segments, to };
}

async function replayed(segments: readonly SentSegment[], after: OplogPosition, until: OplogPosition) {
  const sent = async function* () {
    yield* segments;
  };
  await replayChanges(target, changesIn(sent(), { after, until }), signal);
}

/** Returns the collections of a database with their options, indexes and documents, without UUIDs. */
async function contentsOf(client: MongoClient, name: string) {
  const db = client.db(name);
  const infos = (await db.listCollections().toArray()) as Document[];
  const sorted = infos.toSorted((one, other) => String(one.name).localeCompare(String(other.name)));
  return Promise.all(
    sorted.map(async ({ name: coll, type, options }) => ({
      ...{ coll, type, options },
      indexes: type === 'view' ? [] : await db.collection(coll).indexes(),
      documents: await db.collection(coll).find().sort({ _id: 1 }).toArray(),
    })),
  );
}

async function changeEverything() {
  const harbour = source.db('harbour');
  const ships = harbour.collection<Numbered>('ships');
  await ships.insertMany([1, 2, 3].map((_id) => ({ _id, tags: [1, 2, 3, 4], at: { port: 'Kiel' } })));
  await ships.createIndex({ seen: 1 }, { expireAfterSeconds: 3_600 });
  await ships.createIndex({ rank: 1 }, { unique: true, sparse: true });
  // The pipeline adds `zulu` before `alpha`. The archive must keep this order.
  await ships.updateOne({ _id: 1 }, [{ $set: { zulu: 1, alpha: 2 } }, { $unset: 'at.port' }]);
  await ships.updateOne({ _id: 2 }, [{ $set: { tags: [9, 2] } }]);
  await ships.updateOne({ _id: 3 }, [
    { $replaceWith: { $setField: { field: 'a.b', input: '$$ROOT', value: { $literal: { $c: 1 } } } } },
  ]);
  await ships.updateOne({ _id: 3 }, [
    { $replaceWith: { $setField: { field: { $literal: '$d' }, input: '$$ROOT', value: 1 } } },
  ]);
  // Two documents exchange unique values.
  for (const [_id, rank] of [
    [1, 1],
    [2, 2],
    [1, 3],
    [2, 1],
    [1, 2],
  ] as const)
    await ships.updateOne({ _id }, { $set: { rank } });
  await source.withSession((session) =>
    session.withTransaction(async () => {
      await ships.insertOne({ _id: 4 }, { session });
      await ships.deleteOne({ _id: 3 }, { session });
      await ships.replaceOne({ _id: 4 }, { name: 'Fram' }, { session });
    }),
  );
  await harbour.createCollection('log', { capped: true, size: 4_096, max: 2 });
  for (const line of [1, 2, 3]) await harbour.collection('log').insertOne({ line });
  await harbour.collection('pilots').insertOne({ name: 'Piet' });
  await harbour.renameCollection('pilots', 'guides');
  await harbour.command({ collMod: 'ships', index: { name: 'seen_1', expireAfterSeconds: 7_200 } });
  await harbour.collection('lost').insertOne({});
  await harbour.collection('lost').drop();
  await source.db('gone').collection('all').insertOne({});
  await source.db('gone').dropDatabase();
}

test('archived changes lead from one state to any later state', async () => {
  const { to: begun } = await archived(undefined);
  await changeEverything();
  const first = await archived(begun);
  const contents = await contentsOf(source, 'harbour');
  await source.db('harbour').collection('ships').deleteMany({});
  await source.db('harbour').collection('later').insertOne({});
  const second = await archived(first.to);
  assert.deepEqual([first.isWhole, second.isWhole], [true, true]);
  const segments = [...first.segments, ...second.segments];
  await replayed(segments, begun, first.to);
  assert.deepEqual(await contentsOf(target, 'harbour'), contents);
  await replayed(segments, first.to, second.to);
  assert.deepEqual(await contentsOf(target, 'harbour'), await contentsOf(source, 'harbour'));
  const { segments: none, to } = await archived(second.to);
  assert.deepEqual([none, to], [[], second.to]);
});

test('changes that do not fit the data, and missing segments, are errors', async () => {
  const { to: begun } = await archived(undefined);
  const docks = source.db('quay').collection<Numbered>('docks');
  const segments: SentSegment[] = [];
  let to = begun;
  for (const change of [
    () => docks.insertOne({ _id: 1 }),
    () => docks.updateOne({ _id: 1 }, { $set: { isFree: true } }),
  ]) {
    await change();
    const found = await archived(to);
    segments.push(...found.segments);
    to = found.to;
  }
  await assert.rejects(
    replayed(segments, segments[0]?.segment.to ?? begun, to),
    /quay\.docks lacks a document/,
  );
  await assert.rejects(replayed(segments.slice(1), begun, to), /does not continue/);
  await assert.rejects(replayed([...segments, ...segments], begun, to), /does not continue/);
  await target.db('quay').collection<Numbered>('docks').insertOne({ _id: 1 });
  await assert.rejects(replayed(segments, begun, to), /do not continue the snapshot: .*11000/);
});

test('large changes are divided into segments, but not within a transaction', async () => {
  const { to: begun } = await archived(undefined);
  const cargo = source.db('holds').collection<Numbered>('cargo');
  const text = 'x'.repeat(600_000);
  await source.withSession((session) =>
    session.withTransaction(async () => {
      for (const _id of [1, 2, 3, 4]) await cargo.insertOne({ _id, text }, { session });
    }),
  );
  await cargo.insertOne({ _id: 5, text });
  const { segments, to } = await archived(begun);
  assert.equal(segments.length, 2);
  await replayed(segments, begun, segments[0]?.segment.to ?? begun);
  assert.equal(await target.db('holds').collection('cargo').countDocuments(), 4);
  await replayed(segments, segments[0]?.segment.to ?? begun, to);
  assert.equal(await target.db('holds').collection('cargo').countDocuments(), 5);
});

test('the archive begins anew if the servers lack changes, or have another history', async () => {
  const { to: begun } = await archived(undefined);
  await source.db('harbour').collection('tides').insertOne({});
  const { to } = await archived(begun);
  const later = { seconds: to.seconds + 1_000_000, increment: 1 };
  for (const after of [{ ...to, digest: 'of another change' }, markAt(later), later]) {
    const anew = await archived(after);
    assert.deepEqual([anew.isWhole, anew.segments, anew.to.digest], [false, [], '']);
  }
  const fail = { failCommands: ['aggregate'], errorCode: 286 };
  const set = (mode: object) =>
    source.db('admin').command({ configureFailPoint: 'failCommand', data: fail, ...mode });
  await set({ mode: 'alwaysOn' });
  try {
    assert.equal((await archived(to)).isWhole, false);
  } finally {
    await set({ mode: 'off' });
  }
  assert.equal((await archived(to)).isWhole, true);
});

test('documents of the greatest size are archived and replayed', async () => {
  const { to: begun } = await archived(undefined);
  const tanks = source.db('tanks').collection<Numbered>('all');
  const whole = { _id: 1, text: '' };
  const text = 'x'.repeat(MAX_DOCUMENT_BYTES - BSON.calculateObjectSize(whole));
  await tanks.insertOne({ ...whole, text });
  await tanks.updateOne({ _id: 1 }, { $set: { text: `y${text.slice(1)}` } });
  await tanks.replaceOne({ _id: 1 }, { text });
  const { isWhole, segments, to } = await archived(begun);
  assert.equal(isWhole, true);
  await replayed(segments, begun, to);
  assert.deepEqual(await contentsOf(target, 'tanks'), await contentsOf(source, 'tanks'));
});

test('if the event of a change is too large, the archive ends before it, and begins anew after it', async () => {
  const { to: begun } = await archived(undefined);
  const casks = source.db('casks').collection<{ _id: number | string }>('all');
  // The servers return the large event in another reply than the first of these.
  const count = 2_500;
  await casks.insertMany(Array.from({ length: count }, (_, _id) => ({ _id })));
  // An event contains the id three times.
  await casks.insertOne({ _id: 'x'.repeat(MAX_DOCUMENT_BYTES / 2) });
  const before = await archived(begun);
  assert.equal(before.isWhole, true);
  await replayed(before.segments, begun, before.to);
  const replayedCount = await target.db('casks').collection('all').countDocuments();
  assert.ok(replayedCount > 0 && replayedCount <= count, String(replayedCount));
  const anew = await archived(before.to);
  assert.deepEqual([anew.isWhole, anew.segments], [false, []]);
  await casks.deleteOne({ _id: 0 });
  const later = await archived(anew.to);
  assert.deepEqual([later.isWhole, later.segments.length], [true, 1]);
});

test('after a quiet time, an empty segment notes how far the servers were read', async () => {
  const { to: begun } = await archived(undefined);
  const quiet = await archived(begun, 0);
  assert.deepEqual(
    quiet.segments.map(({ segment: { after, to } }) => [after, to]),
    [[begun, quiet.to]],
  );
  assert.equal(quiet.to.digest, '');
  await source.db('harbour').collection('gulls').insertOne({});
  const { isWhole, segments, to } = await archived(quiet.to);
  assert.deepEqual([isWhole, segments.length], [true, 1]);
  await replayed([...quiet.segments, ...segments], begun, to);
  assert.equal(await target.db('harbour').collection('gulls').countDocuments(), 1);
});
