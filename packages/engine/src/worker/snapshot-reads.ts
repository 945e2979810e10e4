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

/** A snapshot that is not read for this long is released, and its cursors are closed. */
const KEPT_MS = 60_000;
/** The most snapshots that are kept; one more releases the least recently read. */
const MOST = 8;

interface Moment {
  readonly store: TransactionStore;
  readonly cursors: Set<bigint>;
  stopClock(): void;
}

interface Parts {
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly clock: MachineClock;
}

/** Reads from a snapshot outside of transactions; several reads can share one. */
export class SnapshotReads {
  readonly #parts: Parts;
  /** Snapshots by their position in the oplog. */
  readonly #moments = new BoundedCache<number, Moment>({
    entries: MOST,
    onEvict: (moment) => this.#end(moment),
  });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Reads at a given time, or at the newest one; the answer contains that time. */
  run(at: Value | undefined, command: Command, request: CommandRequest, cluster: ClusterContext): Reply {
    const position = at === undefined ? this.#parts.store.oplog.last : positionOf(at);
    const moment = this.#moment(position);
    const reply = command.run(request, contextWithin(cluster, moment.store, moment.cursors));
    const atClusterTime = timestampAt(position);
    if (reply.cursor === undefined) return { ...reply, atClusterTime };
    return { ...reply, cursor: { ...(reply.cursor as object), atClusterTime } };
  }

  #moment(position: number): Moment {
    const known = this.#moments.get(position);
    known?.stopClock();
    const { store, clock } = this.#parts;
    if (known === undefined && position !== store.oplog.last) throw unavailable(position, store.oplog.last);
    const moment = {
      store: known?.store ?? new TransactionStore(store, store.snapshots.take(), new HeldKeys()),
      cursors: known?.cursors ?? new Set<bigint>(),
      stopClock: clock.after(KEPT_MS, () => this.#drop(position)),
    };
    this.#moments.set(position, moment);
    return moment;
  }

  #drop(position: number): void {
    const moment = this.#moments.get(position);
    if (moment === undefined) return;
    this.#moments.delete(position);
    this.#end(moment);
  }

  #end(moment: Moment): void {
    moment.stopClock();
    for (const id of moment.cursors) this.#parts.cursors.close(id);
    moment.store.close();
  }

  close(): void {
    for (const moment of this.#moments.values()) this.#end(moment);
    this.#moments.clear();
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
