import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { MachineClock } from '@portolan/foundation/clock';
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

interface RetainedSnapshot {
  readonly store: TransactionStore;
  readonly cursors: Set<bigint>;
  stopClock(): void;
}

interface Parts {
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly clock: MachineClock;
}

/** Reads from a snapshot outside transactions. Several reads can share a snapshot. */
export class SnapshotReads {
  readonly #parts: Parts;
  /** The snapshots by their position in the oplog. */
  readonly #snapshots = new BoundedCache<number, RetainedSnapshot>({
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
    const snapshot = this.#snapshotAt(position);
    const reply = command.run(request, contextWithin(cluster, snapshot.store, snapshot.cursors));
    const atClusterTime = timestampAt(position);
    if (reply.cursor === undefined) return { ...reply, atClusterTime };
    return { ...reply, cursor: { ...(reply.cursor as object), atClusterTime } };
  }

  #snapshotAt(position: number): RetainedSnapshot {
    const known = this.#snapshots.get(position);
    known?.stopClock();
    const { store, clock } = this.#parts;
    if (known === undefined && position !== store.oplog.last) throw unavailable(position, store.oplog.last);
    const snapshot = {
      store: known?.store ?? new TransactionStore(store, store.snapshots.take(), new HeldKeys()),
      cursors: known?.cursors ?? new Set<bigint>(),
      stopClock: clock.after(KEPT_MS, () => this.#drop(position)),
    };
    this.#snapshots.set(position, snapshot);
    return snapshot;
  }

  #drop(position: number): void {
    const snapshot = this.#snapshots.get(position);
    if (snapshot === undefined) return;
    this.#snapshots.delete(position);
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

function unavailable(position: number, last: number): ServerError {
  if (position < last) {
    return new ServerError('SnapshotTooOld', 'Read timestamp is older than the oldest available timestamp.');
  }
  return new ServerError(
    'InvalidOptions',
    'readConcern atClusterTime value must not be greater than the current clusterTime.',
  );
}
