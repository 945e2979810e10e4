import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Document, Long } from 'bson';
import { CLUSTER_ID, info, type Sent, TestCluster } from './testing.ts';

/** The id of the other cluster on the thread of the tested cluster. */
const NEIGHBOUR = '65f0c0ffee65f0c0ffee0002';
const DOCUMENTS = 200;
/** Sizes of statements that take 50 ms and 2.5 s, since each reading of the test's clock takes 0.25 ms. */
const MEDIUM = 6;
const LONG = 400;
/** Number of statements of the neighbour. */
const RUNS = 50;

let cluster: TestCluster;
let dir: string;
let time: number;
/** Called at each interruption check at which other statements may run. */
let onYield: () => void;
let connections: number;

beforeEach(() => {
  cluster = new TestCluster({}, { unsynced: true });
  dir = mkdtempSync(join(tmpdir(), 'worker-'));
  cluster.worker.open(NEIGHBOUR, { dir, unsynced: true }, info);
  const documents = Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, n: 0 }));
  for (const clusterId of [CLUSTER_ID, NEIGHBOUR]) cluster.run({ insert: 'c', documents }, { clusterId });
  time = 0;
  connections = 1;
  onYield = () => {};
  cluster.clock.monotonic = () => (time += 0.25);
  cluster.worker.ports = { receive: () => onYield(), send() {} };
});

afterEach(() => {
  cluster.remove();
  rmSync(dir, { recursive: true });
});

/** Matches nothing, and takes about `size` steps per document. */
const slow = (size: number) => ({
  $expr: {
    $lt: [
      { $reduce: { input: { $range: [0, size] }, initialValue: 0, in: { $add: ['$$value', '$$this'] } } },
      0,
    ],
  },
});

interface Timed extends Sent {
  readonly from: number;
  to: number;
}

/** Sends a command. It takes `extra` milliseconds longer than by the readings of the clock. */
function start(command: Document, clusterId: string, extra = 0): Timed {
  let reply: Document | undefined;
  const timed: Timed = {
    from: time,
    to: Number.POSITIVE_INFINITY,
    get reply() {
      return reply as Document;
    },
    set reply(value) {
      reply = value;
      time += extra;
      timed.to = time;
    },
  };
  cluster.send(command, { clusterId, connectionId: ++connections }, timed);
  return timed;
}

const took = ({ from, to }: Timed) => to - from;
const torture = () => start({ find: 'c', filter: slow(LONG) }, CLUSTER_ID);
/** Runs until nothing waits, and asserts that everything has succeeded. */
function runAll(all: readonly Timed[]): void {
  cluster.worker.runTurn();
  for (const { reply } of all) assert.equal(reply?.ok, 1);
}

/** Returns the time that a statement takes alone. */
function alone(command: Document): number {
  const sent = start(command, NEIGHBOUR);
  cluster.worker.runTurn();
  return took(sent);
}

/** Starts the command of a neighbour again and again while a tenant with long statements fills the thread. */
function besideTorture(command: Document): { readonly longest: number; readonly runs: number } {
  const tortured = [torture(), torture(), torture()];
  const neighbours: Timed[] = [];
  let more = 12;
  onYield = () => {
    if (more > 0 && tortured.filter(({ reply }) => reply === undefined).length < 3) {
      tortured.push(torture());
      more--;
    }
    if (neighbours.at(-1)?.to === Number.POSITIVE_INFINITY) return;
    if (neighbours.length < RUNS) neighbours.push(start(command, NEIGHBOUR));
  };
  cluster.worker.runTurn();
  for (const { reply } of [...tortured, ...neighbours]) assert.equal(reply?.ok, 1);
  return { longest: Math.max(...neighbours.map(took)), runs: neighbours.length };
}

it('a long statement yields the processor every few milliseconds, and a shorter one never does', () => {
  let yields = 0;
  const other = new TestCluster({ yieldProcessor: () => void yields++ }, { unsynced: true });
  try {
    other.run({ insert: 'c', documents: Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, n: 0 })) });
    other.clock.monotonic = () => (time += 0.25);
    other.run({ find: 'c', filter: slow(MEDIUM) });
    assert.equal(yields, 0);
    const before = time;
    other.run({ find: 'c', filter: slow(LONG) });
    const most = (time - before) / 4;
    assert.ok(yields > most / 4 && yields <= most, `${yields} of ${most}`);
  } finally {
    other.remove();
  }
});

describe('beside long statements of another cluster', () => {
  const medium = { find: 'c', filter: slow(MEDIUM) };

  it('a short statement waits for little more than a slice', () => {
    const { longest, runs } = besideTorture({ find: 'c', filter: { _id: 7 } });
    assert.ok(longest <= 60, `${longest}`);
    assert.equal(runs, RUNS);
  });

  it('a short statement that arrives during a turn of others does not wait for the end of another slice', () => {
    const short = { find: 'c', filter: { _id: 7 } };
    const tortured = torture();
    let first: Timed | undefined;
    let second: Timed | undefined;
    onYield = () => {
      if (first === undefined) first = start(short, NEIGHBOUR, 6);
      else if (first.reply !== undefined) second ??= start(short, NEIGHBOUR);
    };
    runAll([tortured]);
    assert.ok(first?.reply?.ok === 1 && second?.reply?.ok === 1);
    assert.ok(second.from - first.to < 3, `${second.from - first.to}`);
  });

  it('a statement that yields waits for a multiple of its own time', () => {
    const own = alone(medium);
    const { longest, runs } = besideTorture(medium);
    assert.ok(longest <= 20 * own, `${longest} > ${own}`);
    assert.equal(runs, RUNS);
  });

  it('a statement overtakes the many that a cluster has sent before it', () => {
    const many = Array.from({ length: 50 }, () => start(medium, CLUSTER_ID));
    const last = start({ find: 'c', filter: { _id: 7 } }, NEIGHBOUR);
    runAll([...many, last]);
    assert.ok(many.filter(({ to }) => to < last.to).length <= 1);
  });

  const short = {
    read: { find: 'c', filter: { _id: 7 } },
    write: { update: 'c', updates: [{ q: { _id: 7 }, u: { $inc: { n: 1 } } }] },
  };
  for (const [kind, command] of Object.entries(short)) {
    it(`a short ${kind} overtakes the many short writes that a cluster has sent before it`, () => {
      cluster.clock.monotonic = () => time;
      // Each write of the cluster takes 4 ms, and nothing else takes time.
      cluster.fraction = () => {
        time += 4;
        return 0.5;
      };
      const write = { update: 'c', updates: [{ q: { _id: 7 }, u: [{ $set: { n: { $rand: {} } } }] }] };
      const many = Array.from({ length: 100 }, () => start(write, CLUSTER_ID));
      let last: Timed | undefined;
      onYield = () => {
        if (last !== undefined) return;
        for (let i = 0; i < 20; i++) start(write, CLUSTER_ID);
        time++;
        last = start(command, NEIGHBOUR);
      };
      runAll(many);
      assert.equal(last?.reply?.ok, 1);
      assert.ok(many.filter(({ to }) => to < Number(last?.to)).length <= 6);
    });
  }

  it('a cursor returns a part of its batch', () => {
    const { cursor: opened } = cluster.run({ find: 'c', filter: { $nor: [slow(LONG)] }, batchSize: 0 });
    let waiting: Timed | undefined;
    onYield = () => {
      waiting ??= start({ find: 'c', filter: slow(LONG) }, NEIGHBOUR);
    };
    const more = { getMore: Long.fromBigInt(opened.id), collection: 'c' };
    const { cursor: part } = cluster.run(more);
    assert.ok(part.nextBatch.length > 0 && part.nextBatch.length < DOCUMENTS, `${part.nextBatch.length}`);
    onYield = () => {};
    const { cursor: rest } = cluster.run(more);
    assert.equal(part.nextBatch.length + rest.nextBatch.length, DOCUMENTS);
    assert.equal(waiting?.reply?.ok, 1);
  });

  it('a change stream returns after a part of its events, even if its pipeline drops them', () => {
    const input = { $range: [0, { $add: [LONG, '$fullDocument.n'] }] };
    const sum = { $reduce: { input, initialValue: 0, in: { $add: ['$$value', '$$this'] } } };
    const pipeline = [{ $changeStream: {} }, { $match: { $expr: { $lt: [sum, 0] } } }];
    const { cursor } = cluster.run({ aggregate: 'c', pipeline, cursor: {} });
    for (let i = 0; i < 10; i++) cluster.run({ insert: 'c', documents: [{ n: 0 }] });
    onYield = () => {
      onYield = () => {};
      start({ find: 'c', filter: slow(LONG) }, NEIGHBOUR);
    };
    // If the batch read all events, it would wait for more events until this time limit.
    const more = { getMore: Long.fromBigInt(cursor.id), collection: 'c', maxTimeMS: 10 ** 9 };
    const reply = cluster.run(more);
    assert.deepEqual(reply.cursor.nextBatch, []);
    assert.equal(reply.cursor.id, cursor.id);
  });
});
