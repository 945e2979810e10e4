import type { MachineClock } from '@portolan/foundation/clock';
import type { WireCaller } from '../access/caller.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { ClusterContext } from '../commands/context/cluster.ts';
import type { Command } from '../commands/context/command.ts';
import type { Cursors } from '../commands/context/cursors.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import type { OpenTransactions, TransactionFacts } from '../commands/context/transactions.ts';
import type { TransactionStep } from '../commands/generic/transaction.ts';
import { apiParametersOf, checkApiParameters } from '../commands/shared/api-parameters.ts';
import { lsidOf } from '../commands/shared/session-key.ts';
import { isTransactionRecord, transactionRecord } from '../commands/transactions/transaction-record.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Reply } from '../message/reply.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import type { Snapshot } from '../storage/file/snapshots.ts';
import type { RunningStatement } from '../storage/model/running-statement.ts';
import { HeldKeys, writeConflict } from '../storage/transactions/held-keys.ts';
import type { MemoryShare, TransactionMemory } from '../storage/transactions/transaction-memory.ts';
import { TransactionStore } from '../storage/transactions/transaction-store.ts';
import { writeGuard } from '../storage/transactions/write-guard.ts';
import { contextWithin } from './transaction-context.ts';

/** The last transaction of a session. */
interface Entry {
  readonly session: string;
  readonly number: bigint;
  /** The API parameters of the first statement, as a text. */
  readonly apiParameters: string;
  state: 'open' | 'committed' | 'aborted';
  /** The open transaction; undefined after its end. */
  open: OpenTransaction | undefined;
}

interface OpenTransaction {
  /** The level of the read concern, which only the first statement specifies. */
  readonly readConcern: string;
  readonly store: TransactionStore;
  readonly cursors: Set<bigint>;
  /** The time at which the transaction began, in monotonic machine time. */
  readonly began: number;
  readonly lifetime: number;
  /** The connection that sent the last statement. */
  caller: WireCaller;
  stopClock(): void;
}

export interface TransactionParts {
  readonly store: ClusterStore;
  readonly cursors: Cursors;
  readonly clock: MachineClock;
  readonly memory: TransactionMemory;
  readonly running: RunningStatement;
  /** Maximum time that a transaction may stay open, in seconds. */
  lifetimeSeconds(): number;
  /** Called when a transaction has ended without a commit, so that operations that wait for it can continue. */
  onEnd(): void;
}

/**
 * The size up to which a write is not divided while a transaction is open that has written. If the write then meets a
 * document of the transaction, it can be rolled back, and waits until the transaction has ended.
 */
const MAX_UNDIVIDED = 128 << 20;

/** The transactions of the sessions of a cluster. Each session has at most one open transaction. */
export class Transactions implements OpenTransactions {
  readonly #parts: TransactionParts;
  readonly #held = new HeldKeys();
  readonly #entries = new Map<string, Entry>();
  readonly #open = new Set<Entry>();

  constructor(parts: TransactionParts) {
    this.#parts = parts;
    parts.store.oplog.guard = writeGuard(this.#held);
    parts.store.mayDivide = (bytes) => this.#held.isEmpty || bytes >= MAX_UNDIVIDED;
    parts.store.endsSnapshots.push(() => this.abortAll());
  }

  /** Number of open transactions. */
  get size(): number {
    return this.#open.size;
  }

  list(): TransactionFacts[] {
    const now = this.#parts.clock.monotonic();
    return [...this.#open].flatMap(({ session, number, open }) =>
      open === undefined
        ? []
        : [
            {
              session,
              number,
              caller: open.caller,
              open: now - open.began,
              lifetime: open.lifetime,
            },
          ],
    );
  }

  /**
   * Runs a statement of a transaction. The first statement starts the transaction. A failed statement aborts
   * it.
   */
  run(
    session: string,
    step: TransactionStep,
    command: Command,
    request: CommandRequest,
    cluster: ClusterContext,
  ): Reply {
    const entry = step.starts
      ? this.#begin(session, step.number, request)
      : this.#continue(session, step.number);
    const open = openOf(entry);
    open.caller = request.caller;
    // The timer that aborts the transaction cannot fire while a statement runs, so the interruption checks of the
    // statement compare the time.
    const { operation } = this.#parts.running;
    if (operation !== undefined) operation.expires = open.began + open.lifetime;
    const context = contextWithin(cluster, open.store, open.cursors, step.number);
    try {
      const transaction = { number: step.number, readConcern: open.readConcern };
      const reply = command.run({ ...request, transaction }, context);
      if (reply.writeErrors !== undefined || reply.nErrors) this.#abort(entry);
      return reply;
    } catch (error) {
      this.#abort(entry);
      throw error;
    }
  }

  /** Throws if a statement, a commit or an abort has other API parameters than the first statement. */
  checkApiParameters(session: string, number: bigint, { name, body }: CommandRequest): void {
    const entry = this.#entries.get(session);
    if (entry?.number !== number) return;
    checkApiParameters(name, body, "the transaction's first command", entry.apiParameters);
  }

  #begin(session: string, number: bigint, { body, caller }: CommandRequest): Entry {
    const before = this.#entries.get(session);
    if (before?.number === number) {
      throw new ServerError(
        'ConflictingOperationInProgress',
        'Only servers in a sharded cluster can start a new transaction at the active transaction number',
      );
    }
    if (before !== undefined) this.#abort(before);
    const { store, clock, memory, lifetimeSeconds } = this.#parts;
    const share = memory.open();
    const lifetime = lifetimeSeconds() * 1000;
    const made = new TransactionStore(store, takeSnapshot(store, share), this.#held, share);
    const entry: Entry = {
      session,
      number,
      apiParameters: apiParametersOf(body),
      state: 'open',
      open: {
        readConcern: levelOf(body),
        store: made,
        cursors: new Set(),
        began: clock.monotonic(),
        lifetime,
        caller,
        stopClock: clock.after(lifetime, () => this.#abort(entry)),
      },
    };
    this.#entries.set(session, entry);
    this.#open.add(entry);
    return entry;
  }

  #continue(session: string, number: bigint): Entry {
    const entry = this.#find(session, number);
    if (entry.state === 'committed') throw committed(number);
    if (entry.state === 'aborted') throw aborted(number);
    return entry;
  }

  #find(session: string, number: bigint): Entry {
    const entry = this.#entries.get(session);
    if (entry?.number === number) return entry;
    if (isCommitted(this.#parts.store, session, number)) throw committed(number);
    throw new ServerError(
      'NoSuchTransaction',
      `Given transaction number ${number} does not match any in-progress transactions. The active transaction number ` +
        `is ${entry?.number ?? -1}`,
    );
  }

  /**
   * Commits a transaction. Must be called within the `write` of the store. Succeeds again if the transaction is already
   * committed.
   */
  commit(session: string, number: bigint): Reply {
    const { store, clock } = this.#parts;
    const known = this.#entries.get(session);
    if (known?.number !== number && isCommitted(store, session, number)) return {};
    const entry = this.#find(session, number);
    if (entry.state === 'committed') return {};
    if (entry.state === 'aborted') throw aborted(number);
    const open = openOf(entry);
    try {
      if (!open.store.writes.isEmpty) {
        open.store.commit({ lsid: lsidOf(session), txnNumber: number });
        store.retries.save(session, clock.now(), transactionRecord(number));
      }
    } catch (error) {
      this.#abort(entry);
      // Another write has taken the unique key meanwhile.
      const taken = error instanceof ServerError && error.codeName === 'DuplicateKey';
      throw taken ? writeConflict() : error;
    }
    this.#close(entry, 'committed');
    // Another write in the same file transaction may still fail. Its failure rolls back this commit as well.
    store.undoing(() => {
      entry.state = 'aborted';
    });
    return {};
  }

  abort(session: string, number: bigint): Reply {
    this.#abort(this.#continue(session, number));
    return {};
  }

  /**
   * Called when a retryable write starts. Aborts an earlier transaction of the session. Throws if a transaction of the
   * session had the same number.
   */
  refuseNumber(session: string, number: bigint, stored: RawDocument | undefined): void {
    const entry = this.#entries.get(session);
    if (entry !== undefined && entry.number < number) this.#abort(entry);
    const committedBefore = stored !== undefined && isTransactionRecord(stored, number);
    if (entry?.number === number || committedBefore) {
      throw new ServerError(
        'IncompleteTransactionHistory',
        `Cannot retry a retryable write with the number of a transaction: ${number}`,
      );
    }
  }

  /** Forgets a session that has ended, and aborts its open transaction. */
  forget(session: string): void {
    const entry = this.#entries.get(session);
    if (entry !== undefined) this.#abort(entry);
    this.#entries.delete(session);
  }

  abortAll(): void {
    for (const entry of [...this.#open]) this.#abort(entry);
  }

  #abort(entry: Entry): void {
    if (entry.state !== 'open') return;
    this.#close(entry, 'aborted');
    this.#parts.onEnd();
  }

  #close(entry: Entry, state: 'committed' | 'aborted'): void {
    entry.state = state;
    this.#open.delete(entry);
    if (entry.open === undefined) return;
    const { store, cursors, stopClock } = entry.open;
    entry.open = undefined;
    stopClock();
    for (const id of cursors) this.#parts.cursors.close(id);
    store.close();
  }

  close(): void {
    for (const entry of [...this.#open]) this.#close(entry, 'aborted');
    this.#entries.clear();
  }
}

function levelOf(body: RawDocument): string {
  return body.document('readConcern', 'readConcern')?.string('level') ?? 'local';
}

function openOf({ open }: Entry): OpenTransaction {
  if (open === undefined) throw new TypeError('an open transaction has lost its data');
  return open;
}

function takeSnapshot({ snapshots }: ClusterStore, share: MemoryShare): Snapshot {
  try {
    return snapshots.take();
  } catch (error) {
    share.release();
    throw error;
  }
}

function isCommitted({ retries }: ClusterStore, session: string, number: bigint): boolean {
  const record = retries.find(session);
  return record !== undefined && isTransactionRecord(record, number);
}

function committed(number: bigint): ServerError {
  return new ServerError('TransactionCommitted', `Transaction { txnNumber: ${number} } has been committed.`);
}

function aborted(number: bigint): ServerError {
  return new ServerError('NoSuchTransaction', `Transaction with { txnNumber: ${number} } has been aborted.`);
}
