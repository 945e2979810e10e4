import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { encodeOplogFrame, type OplogPosition } from '@portolan/engine/interface/oplog';
import { encodeFrame, framesOf, type SnapshotFrame } from '@portolan/engine/interface/snapshot';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { emptyDatabase } from '@portolan/test-support/databases';
import { listEvents } from '../../events/index.ts';
import { below } from '../../objects/below.ts';
import type { ObjectStore } from '../../objects/object-store.ts';
import type { Tx } from '../../store/index.ts';
import { startWorker } from '../../tasks/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import { makeCluster, openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { family } from './index.ts';
import type { RestoreRow } from './model/restores/rows.ts';

export { insertBucket } from './buckets/rows.ts';
export { insertRestore } from './model/restores/rows.ts';

type Call = keyof ObjectStore;

/** Objects in memory. Each operation first calls `trouble`, which may throw or wait. */
export class TestObjects implements ObjectStore {
  readonly content = new Map<string, Uint8Array>();
  trouble: (call: Call, key: string) => void | Promise<void> = () => {};

  async put(key: string, content: Uint8Array): Promise<void> {
    await this.trouble('put', key);
    this.content.set(key, Buffer.from(content));
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    await this.trouble('get', key);
    const content = this.content.get(key);
    return content && Buffer.from(content);
  }

  async list(prefix: string): Promise<ReadonlyMap<string, number>> {
    await this.trouble('list', prefix);
    const below = [...this.content].filter(([key]) => key.startsWith(prefix));
    const names = below.map(([key, { length }]) => [key.slice(prefix.length), length] as const);
    return new Map(names.filter(([name]) => !name.includes('/')));
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.trouble('delete', key);
      this.content.delete(key);
    }
  }
}

/** An engine with one cluster. Each text is one chunk of the cluster. Texts that begin with `!` cannot be read. */
class TestEngine {
  texts: readonly string[] = ['a', 'b'];
  /**
   * The chunks sent so far, in order. `a` is a chunk with its content. `(a)` is a reference to a chunk that the
   * receiver already had. `same` means that the receiver already had the whole snapshot.
   */
  readonly sent: string[] = [];
  /** The restored texts by cluster. */
  readonly restored = new Map<string, readonly string[]>();

  /** Called when a snapshot begins. */
  onSnapshot = () => {};

  snapshot(_id: string, known: readonly string[]): Readable {
    return Readable.from(this.#frames(known));
  }

  async *#frames(known: readonly string[]): AsyncGenerator<Uint8Array> {
    this.onSnapshot();
    const state = hash('sha256', `state of ${this.texts.join()}`);
    if (known.includes(state)) {
      this.sent.push('same');
      yield encodeFrame({ kind: 'same' });
      return;
    }
    const head = { format: 1, position: { seconds: 1, increment: 1 }, bytes: 0, state } as const;
    yield encodeFrame({ kind: 'head', head });
    for (const text of this.texts) {
      if (text.startsWith('!')) throw new Error(`${text} cannot be read`);
      const name = hash('sha256', text);
      const isKnown = known.includes(name);
      this.sent.push(isKnown ? `(${text})` : text);
      if (isKnown) yield encodeFrame({ kind: 'known', hash: name });
      else yield encodeFrame({ kind: 'chunk', hash: name, content: Buffer.from(text) });
    }
    yield encodeFrame({ kind: 'end', end: { collections: [] } });
  }

  /** The timestamps of the oplog entries, in seconds. Each entry is one segment. */
  entries: readonly number[] = [100];
  /** The time of the servers in milliseconds, if it differs from service time. */
  time: number | undefined;

  async *oplog(_id: string, after: OplogPosition | undefined): AsyncGenerator<Uint8Array> {
    const whole = after !== undefined && this.entries.includes(after.seconds);
    const from = markAt(whole ? after.seconds : (this.entries.at(-1) ?? 0));
    yield encodeOplogFrame({ kind: 'head', head: { format: 1, after: from, whole } });
    let last = from;
    for (const seconds of this.entries.filter((entry) => entry > from.seconds)) {
      const to = markAt(seconds);
      const segment = { hash: hash('sha256', `${seconds} of ${this.entries}`), after: last, to };
      yield encodeOplogFrame({ kind: 'segment', segment, content: Buffer.from(`${seconds}`) });
      last = to;
    }
    const { time } = this;
    yield encodeOplogFrame({ kind: 'end', to: last, ...(time !== undefined && { time }) });
  }

  /** Like the real engine, verifies all chunks before changing anything. */
  async restore(id: string, _key: unknown, _oplogKeys: unknown, bytes: AsyncIterable<Uint8Array>) {
    const texts: string[] = [];
    let end: SnapshotFrame | undefined;
    for await (const frame of framesOf(bytes)) {
      if (frame.kind === 'end') end = frame;
      if (frame.kind !== 'chunk') continue;
      const text = Buffer.from(frame.content).toString();
      if (hash('sha256', text) !== frame.hash) throw new Error(`chunk ${frame.hash} is damaged`);
      texts.push(text);
    }
    if (end?.kind !== 'end') throw new Error('the snapshot has no end');
    this.restored.set(id, texts);
    return end.end;
  }
}

const markAt = (seconds: number) => ({ seconds, increment: 1, digest: `of ${seconds}` });

const SECOND_MS = 1000;
/** The minimum and maximum time, in seconds, during which `settled` waits for retries. */
const [MIN_S, MAX_S] = [10, 120];

/** Runs backup tasks with a store, a cluster, a test engine, and objects in memory. */
export async function openBackups(t: TestContext) {
  const machine = testClock(Date.UTC(2025, 3, 1));
  const clock = serviceClock(machine);
  const database = await emptyDatabase.sqlite(t);
  const { store, groupId } = await openClusters(t, database, [], { clock, machine });
  const objects = new TestObjects();
  const engine = new TestEngine();
  const copies = (region: string) => below(objects, `regions/${region}/`);
  const engines = { at: () => engine, backupsAt: () => undefined } as unknown as Services['engines'];
  const parts = { clock, machine, random: systemRandom(), log: silentLog() };
  const services = { ...parts, store, engines, snapshots: objects, copies } as Partial<Services> as Services;
  const worker = await startWorker({
    ...parts,
    store,
    services,
    kinds: family.tasks ?? [],
    hosts: () => ['host'],
  });
  t.after(() => worker.stop());
  const cluster = await store.write((tx) => makeCluster(tx, groupId));
  const isResting = () =>
    store.read(async (tx) => {
      const tasks = tx.from<{ task: { retry_at: number; failed: number } }>().selectFrom('task');
      const resting = tasks.where('failed', '=', 0).where('retry_at', '>', tx.machineTime());
      return (await resting.select('retry_at').executeTakeFirst()) !== undefined;
    });
  return {
    clock,
    machine,
    store,
    cluster,
    objects,
    engine,
    services,
    /** Makes the cluster an adopted deployment. */
    adoptCluster: () =>
      store.write(async (tx) => {
        const placement = JSON.stringify({ ...cluster.placement, found: { engine: 'adopted', facts: [] } });
        const clusters = tx.from<{ cluster: { id: string; placement: string } }>().updateTable('cluster');
        await clusters.set({ placement }).where('id', '=', cluster.id).execute();
      }),
    /** Returns the events of the project in any order, with the reasons of failures. */
    async recordedEvents(): Promise<{ readonly type: string; readonly reason: string | undefined }[]> {
      const all = { itemsPerPage: 500, pageNum: 1, includeCount: false };
      const { results } = await store.read((tx) => listEvents(tx, { groupId }, all));
      return results.map(({ type, details }) => ({ type, reason: details?.reason as string | undefined }));
    },
    /** Sets the cluster to IDLE, as the end of its deployment would. */
    idleCluster: () =>
      store.write(async (tx) => {
        const clusters = tx.from<{ cluster: { id: string; state: string } }>().updateTable('cluster');
        await clusters.set({ state: 'IDLE' }).where('id', '=', cluster.id).execute();
      }),
    /** Waits until no task is due, including tasks that are retried. */
    async settled() {
      await worker.idle();
      for (let seconds = 0; seconds < MIN_S || (seconds < MAX_S && (await isResting())); seconds++) {
        machine.advance(SECOND_MS);
        await worker.idle();
      }
    },
  };
}

/** Returns a restore of a snapshot of a cluster to the same cluster, without a task. */
export function restoreRow(tx: Tx, { id, groupId, name }: ClusterModel, snapshotId: string): RestoreRow {
  return {
    kind: 'restore',
    id: tx.id(),
    groupId,
    clusterId: id,
    targetId: id,
    targetGroupId: groupId,
    targetClusterName: name,
    snapshotId,
    timestamp: tx.now,
    snapshotFinished: tx.now,
    requested: tx.now,
    begun: false,
    finished: undefined,
  };
}
