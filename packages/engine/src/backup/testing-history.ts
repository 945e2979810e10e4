import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, UUID } from 'bson';
import fc from 'fast-check';
import { type OplogFrame, type OplogMark, type OplogPosition, oplogFramesOf } from '../interface/oplog.ts';
import { encodeFrame, framesOf, type SnapshotFrame } from '../interface/snapshot.ts';
import { requests } from '../language/testing/requests.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { partsOfPosition, positionOfParts } from '../storage/oplog/position.ts';
import { TestCluster } from '../worker/testing.ts';
import { readOplog } from './archive.ts';
import { oplogTable } from './copy.ts';
import { stageSnapshot } from './stage.ts';
import { takeSnapshot } from './take.ts';

/*
 * For tests: a cluster under a random load. Its oplog is archived, and snapshots are taken at random times. The
 * expected content at each time is read from the file at that time, independently of the replay code.
 */

export type Step =
  | { readonly kind: 'commands'; readonly commands: readonly Document[] }
  | { readonly kind: 'transaction'; readonly commands: readonly Document[]; readonly commits: boolean }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'snapshot' | 'archive' };

const collections = fc.constantFrom('c', 'd', 'capped', 'series', 'clustered', 'renamed');
const ids = fc.nat(12);
const one = <T extends Document>(make: (collection: string, n: number, m: number) => T) =>
  fc.tuple(collections, ids, ids).map(([collection, n, m]) => make(collection, n, m));
const databases = fc.constantFrom('test', 'test', 'test', 'other');
const at = new Date(1_700_000_000_000);

const inserts = fc
  .tuple(collections, fc.nat(400), fc.integer({ min: 1, max: 30 }), fc.boolean())
  .map(([insert, from, count, same]) => ({
    insert,
    ordered: false,
    documents: Array.from({ length: count }, (_, i) => {
      const _id = insert === 'series' && same ? from % 3 : from + i;
      return { _id, n: i % 5, a: [i % 3, { b: i }], at: new Date(at.getTime() + i), text: 'x'.repeat(i * 7) };
    }),
  }));

const writes = fc.oneof(
  { weight: 4, arbitrary: inserts },
  one((update, n, m) => ({
    update,
    updates: [{ q: { n: n % 5 }, u: { $inc: { m: 1 }, $set: { s: m } }, multi: true }],
  })),
  one((update, n, m) => ({
    update,
    updates: [{ q: { _id: n }, u: { _id: n, m, whole: true }, upsert: true }],
  })),
  one((update, n, m) => ({
    update,
    updates: [{ q: { _id: n }, u: [{ $set: { a: { $concatArrays: ['$a', [m]] }, [`f${m}`]: '$n' } }] }],
  })),
  one((name, n) => ({ delete: name, deletes: [{ q: { n: n % 5 }, limit: 0 }] })),
  one((name, n) => ({ findAndModify: name, query: { n: n % 5 }, sort: { _id: -1 }, remove: true })),
);

const definitions = fc.oneof(
  one((createIndexes, n) => ({
    createIndexes,
    indexes: [{ key: { n: 1, [`k${n % 3}`]: -1 }, name: `i${n % 3}` }],
  })),
  one((createIndexes, n) => ({
    createIndexes,
    indexes: [{ key: { s: 1 }, name: 'ttl', expireAfterSeconds: 9_999 + n }],
  })),
  one((createIndexes) => ({
    createIndexes,
    indexes: [{ key: { 'a.b': 1 }, name: 'part', partialFilterExpression: { n: 1 } }],
  })),
  one((dropIndexes, n) => ({ dropIndexes, index: n % 4 === 0 ? '*' : `i${n % 3}` })),
  one((collMod, n) => ({ collMod, index: { name: 'ttl', expireAfterSeconds: n * 1000 } })),
  one((collMod, n) => ({ collMod, index: { name: `i${n % 3}`, hidden: n % 2 === 0 } })),
  one((collMod, n) => ({ collMod, validator: n % 2 === 0 ? {} : { n: { $lt: 100 } } })),
  one((collMod, n) => ({ collMod, changeStreamPreAndPostImages: { enabled: n % 3 > 0 } })),
  one((collMod, n) => ({ collMod, cappedSize: 4096 * (n + 1), cappedMax: 5 + n })),
  one((name) => ({ drop: name })),
  one((from, n) => ({
    renameCollection: `test.${from}`,
    to: n % 3 === 0 ? `other.${from}` : 'test.renamed',
    dropTarget: n % 2 === 0,
    $db: 'admin',
  })),
  fc.constantFrom<Document>(
    { create: 'capped', capped: true, size: 8192, max: 20 },
    { create: 'series', timeseries: { timeField: 'at', metaField: 'n' } },
    { create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true } },
    { create: 'd', changeStreamPreAndPostImages: { enabled: true }, collation: { locale: 'sv' } },
    { create: 'view', viewOn: 'c', pipeline: [{ $match: { n: 1 } }] },
    { collMod: 'view', viewOn: 'd', pipeline: [] },
    { drop: 'view' },
    { convertToCapped: 'c', size: 4096 },
    { cloneCollectionAsCapped: 'd', toCollection: 'renamed', size: 4096 },
    { dropDatabase: 1 },
    { aggregate: 'c', pipeline: [{ $out: 'd' }], cursor: {} },
    { aggregate: 'd', pipeline: [{ $merge: { into: 'c' } }], cursor: {} },
  ),
);

const command = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: writes },
      { weight: 3, arbitrary: definitions },
      { weight: 2, arbitrary: requests },
    ),
    databases,
  )
  .map(([body, $db]) => ({ $db, ...body }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('commands' as const),
      commands: fc.array(command, { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('transaction' as const),
      commands: fc.array(writes, { minLength: 1, maxLength: 4 }),
      commits: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause' as const), ms: fc.nat(3_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('snapshot' as const, 'archive' as const) }) },
);

export const loads: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 10, maxLength: 30 });

const beginning: readonly Document[] = [
  { create: 'capped', capped: true, size: 8192, max: 20 },
  { create: 'series', timeseries: { timeField: 'at', metaField: 'n' } },
  { create: 'clustered', clusteredIndex: { key: { _id: 1 }, unique: true } },
  { create: 'd', changeStreamPreAndPostImages: { enabled: true } },
  { createIndexes: 'c', indexes: [{ key: { s: 1 }, name: 'ttl', expireAfterSeconds: 9_999 }] },
];

/**
 * The content of a file: an entry for each collection, one for the pre-images, and one for the oplog. A document is
 * represented by the first digits of its SHA-256 hash.
 */
export type Contents = Readonly<Record<string, unknown>>;

/** Returns the content of a file, with the oplog only up to the given position. */
function contentsOf(directory: string, oplogUpTo?: number): Contents {
  const connection = new Connection(join(directory, FILE_NAME), { readOnly: true });
  try {
    const found: Record<string, unknown> = {};
    const rows = connection.all<[number, string, string, Uint8Array, Uint8Array, number, number]>(
      `SELECT number, db, name, uuid, options, documents, bytes FROM collections WHERE db <> 'local' ORDER BY db, name`,
    );
    const hex = (bytes: Uint8Array) => hash('sha256', bytes, 'hex').slice(0, 16);
    for (const [number, db, name, uuid, options, documents, bytes] of rows) {
      const specs = connection.all<[Uint8Array]>(
        'SELECT spec FROM indexes WHERE collection = ? ORDER BY spec',
        number,
      );
      const docs = connection.all<[Uint8Array]>(`SELECT doc FROM c_${number} ORDER BY rid`);
      found[`${db}.${name}`] = {
        uuid: hex(uuid),
        options: hex(options),
        counts: [documents, bytes],
        indexes: specs.map(([spec]) => hex(spec)),
        documents: docs.map(([doc]) => hex(doc)),
      };
    }
    const images = connection.all<[number, number, number, Uint8Array]>(
      'SELECT position, step, wall, doc FROM images ORDER BY position, step',
    );
    found.images = images.map(([position, place, wall, doc]) => [position, place, wall, hex(doc)]);
    if (oplogUpTo !== undefined) {
      const sql = `SELECT rid, doc FROM ${oplogTable(connection)} WHERE rid <= ? ORDER BY rid`;
      found.oplog = connection.all<[number, Uint8Array]>(sql, oplogUpTo).map(([rid, doc]) => [rid, hex(doc)]);
    }
    return found;
  } finally {
    connection.close();
  }
}

interface Snapshot {
  readonly position: number;
  readonly frames: readonly SnapshotFrame[];
}

type Segment = Extract<OplogFrame, { kind: 'segment' }>;

/** A cluster with its archive and snapshots. */
export class History {
  readonly cluster = new TestCluster();
  readonly snapshots: Snapshot[] = [];
  readonly moments: Array<{ readonly position: number; readonly contents: Contents }> = [];
  readonly segments: Segment[] = [];
  #archived: OplogMark | undefined;
  #transactions = 0;
  accepted = 0;

  async begin(): Promise<void> {
    for (const one of beginning) this.command(one);
    await this.archive();
    await this.snapshot();
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (step.kind === 'snapshot') await this.snapshot();
      else if (step.kind === 'archive') await this.archive();
      else if (step.kind === 'pause') this.cluster.clock.advance(step.ms);
      else if (step.kind === 'transaction') this.transaction(step.commands, step.commits);
      else if (step.kind === 'commands') for (const command of step.commands) this.command(command);
      this.remember();
    }
    await this.archive();
  }

  command(command: Document): void {
    if (this.cluster.run(command).ok === 1) this.accepted++;
  }

  transaction(commands: readonly Document[], commits: boolean): void {
    const session = {
      lsid: { id: new UUID(Buffer.alloc(16, 7)) },
      txnNumber: BigInt(++this.#transactions),
      autocommit: false,
    };
    for (const [i, command] of commands.entries()) {
      this.command({ ...command, ...session, ...(i === 0 ? { startTransaction: true } : {}) });
    }
    const ending = commits ? { commitTransaction: 1 } : { abortTransaction: 1 };
    this.command({ ...ending, ...session, $db: 'admin' });
  }

  /** The position of the newest entry. */
  get last(): number {
    const connection = new Connection(join(this.cluster.dir, FILE_NAME), { readOnly: true });
    try {
      const [last] = connection.get<[number]>(`SELECT max(rid) FROM ${oplogTable(connection)}`) ?? [0];
      return last;
    } finally {
      connection.close();
    }
  }

  /** Records the current content of the cluster. */
  remember(): void {
    const position = this.last;
    if (this.moments.at(-1)?.position === position) return;
    this.moments.push({ position, contents: contentsOf(this.cluster.dir, position) });
  }

  async snapshot(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'taken-'));
    const frames: SnapshotFrame[] = [];
    try {
      const bytes = takeSnapshot({ directory: this.cluster.dir, folder, known: [] });
      for await (const frame of framesOf(bytes)) frames.push(copied(frame));
    } finally {
      rmSync(folder, { recursive: true });
    }
    const [head] = frames;
    assert.ok(head?.kind === 'head');
    this.snapshots.push({ position: positionOfParts(head.head.position), frames });
    this.remember();
  }

  async archive(): Promise<void> {
    const bytes = readOplog({ directory: this.cluster.dir, after: this.#archived });
    for await (const frame of oplogFramesOf(asynchronous(bytes))) {
      if (frame.kind === 'head') assert.equal(frame.head.whole, this.#archived !== undefined);
      else if (frame.kind === 'segment')
        this.segments.push({ ...frame, content: Buffer.from(frame.content) });
      else this.#archived = frame.to;
    }
  }

  /** Restores the last snapshot before a position and replays the archive up to it. */
  async restored(until: OplogPosition): Promise<Contents> {
    return this.staged(this.framesUntil(until));
  }

  framesUntil(until: OplogPosition): SnapshotFrame[] {
    const snapshot = this.snapshots.findLast(({ position }) => position <= positionOfParts(until));
    const [first] = this.segments;
    const [head, ...others] = snapshot?.frames ?? [];
    assert.ok(head?.kind === 'head');
    if (first === undefined) return [head, ...others];
    const replay = { until, after: first.segment.after };
    const to = this.segments.at(-1)?.segment.to as OplogMark;
    return [
      { ...head, head: { ...head.head, replay } },
      ...others,
      ...this.segments.map((segment) => ({ ...segment, kind: 'oplog' }) as const),
      { kind: 'replayed', to },
    ];
  }

  async staged(frames: readonly SnapshotFrame[]): Promise<Contents> {
    const folder = mkdtempSync(join(tmpdir(), 'staged-'));
    try {
      await stageSnapshot(join(folder, FILE_NAME), asynchronous(frames.map(encodeFrame)), {});
      return contentsOf(folder, Number.MAX_SAFE_INTEGER);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  end(): void {
    this.cluster.remove();
  }
}

async function* asynchronous<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  yield* pieces;
}

function copied(frame: SnapshotFrame): SnapshotFrame {
  return frame.kind === 'chunk' ? { ...frame, content: Buffer.from(frame.content) } : frame;
}

/** Restores at most `most` recorded positions and verifies their contents. Returns the number of restored positions. */
export async function tryHistory(steps: readonly Step[], most: number): Promise<number> {
  const history = new History();
  try {
    await history.begin();
    await history.run(steps);
    const every = Math.ceil(history.moments.length / most);
    const tried = history.moments.toReversed().filter((_, i) => i % every === 0);
    for (const { position, contents } of tried)
      assert.deepEqual(await history.restored(partsOfPosition(position)), contents);
    return tried.length;
  } finally {
    history.end();
  }
}
