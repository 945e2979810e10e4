import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { MachineClock } from '@portolan/foundation/clock';
import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import type { ClusterContext } from '../commands/context/cluster.ts';
import type { Command } from '../commands/context/command.ts';
import type { Cursors } from '../commands/context/cursors.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Reply } from '../message/reply.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { positionOf, timestampAt } from '../storage/oplog/time.ts';
import { HeldKeys } from '../storage/transactions/held-keys.ts';
import { TransactionStore } from '../storage/transactions/transaction-store.ts';
import { contextWithin } from './transaction-context.ts';

/** The time without reads after which a snapshot is released and its cursors are closed. */
const KEPT_MS = 60_000;
/** Maximum number of snapshots. A further snapshot replaces the one that was read least recently. */
const MAX_ENTRIES = 8;

/** Maximum number of entries that are scanned for changes of a database. Reading an entry takes 10 µs. */
const MAX_SCANNED = 1_000;

interface RetainedSnapshot {
  readonly store: TransactionStore;
  readonly cursors: Set<bigint>;
  stopClock(): void;
  restartClock(): void;
}

interface Parts {
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly clock: MachineClock;
}

/** Reads from a snapshot outside transactions. Several reads can share a snapshot. */
export class SnapshotReads {
  readonly #parts: Parts;
  /**
   * The snapshots by their position in the oplog. A snapshot that was taken later than that contains the data of one
   * database at the position, and its key also contains the database.
   */
  readonly #snapshots = new BoundedCache<string, RetainedSnapshot>({
    entries: MAX_ENTRIES,
    onEvict: (snapshot) => this.#end(snapshot),
  });

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.store.endsSnapshots.push(() => this.close());
  }

  /** Runs a read as of the time `at`, or as of the newest write. The reply contains the time of the data. */
  run(at: Value | undefined, command: Command, request: CommandRequest, cluster: ClusterContext): Reply {
    const position = at === undefined ? this.#parts.store.oplog.last : positionOf(at);
    const snapshot = this.#snapshotAt(position, request.database);
    const reply = command.run(request, contextWithin(cluster, snapshot.store, snapshot.cursors));
    const atClusterTime = timestampAt(position);
    if (reply.cursor === undefined) return { ...reply, atClusterTime };
    return { ...reply, cursor: { ...(reply.cursor as object), atClusterTime } };
  }

  #snapshotAt(position: number, database: string): RetainedSnapshot {
    const [whole, own] = [`${position}`, `${position} ${database}`];
    const known = this.#snapshots.get(whole) ?? this.#snapshots.get(own);
    if (known !== undefined) {
      known.restartClock();
      return known;
    }
    const { store, clock } = this.#parts;
    const { last } = store.oplog;
    if (position !== last && !this.#isUnchangedSince(position, database)) throw unavailable(position, last);
    const key = position === last ? whole : own;
    const startClock = () => clock.after(KEPT_MS, () => this.#drop(key));
    let stopClock = startClock();
    const snapshot = {
      store: new TransactionStore(store, store.snapshots.take(), new HeldKeys()),
      cursors: new Set<bigint>(),
      stopClock: () => stopClock(),
      restartClock() {
        stopClock();
        stopClock = startClock();
      },
    };
    this.#snapshots.set(key, snapshot);
    return snapshot;
  }

  /** True if the present data of a database is certainly the data at an earlier position. */
  #isUnchangedSince(position: number, database: string): boolean {
    const { oplog } = this.#parts.store;
    if (position > oplog.last || !oplog.holds(position) || database === 'local') return false;
    const entries = oplog.scanAfter(position);
    try {
      let entry = entries.next();
      for (let seen = 0; entry !== undefined; entry = entries.next()) {
        if (++seen > MAX_SCANNED || mayConcern(entry.doc, database)) return false;
      }
      return true;
    } finally {
      entries.release();
    }
  }

  #drop(key: string): void {
    const snapshot = this.#snapshots.get(key);
    if (snapshot === undefined) return;
    this.#snapshots.delete(key);
    this.#end(snapshot);
  }

  #end(snapshot: RetainedSnapshot): void {
    snapshot.stopClock();
    for (const id of snapshot.cursors) this.#parts.cursors.close(id);
    snapshot.store.close();
  }

  close(): void {
    for (const snapshot of this.#snapshots.values()) this.#end(snapshot);
    this.#snapshots.clear();
  }
}

/**
 * True if an oplog entry may change the data that a read of a database sees. The entry of a transaction is in the
 * namespace `admin.$cmd`. A pipeline can also read the configuration of shards.
 */
function mayConcern(entry: RawDocument, database: string): boolean {
  if (entry.string('op') === 'n') return false;
  const ns = entry.string('ns') ?? '';
  return [database, 'admin', 'config'].includes(ns.slice(0, ns.indexOf('.')));
}

function unavailable(position: number, last: number): ServerError {
  if (position < last) {
    return new ServerError('SnapshotTooOld', 'Read timestamp is older than the oldest available timestamp.');
  }
  return new ServerError(
    'InvalidOptions',
    'readConcern atClusterTime value must not be greater than the current clusterTime.',
  );
}
