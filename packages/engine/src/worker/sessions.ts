import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import type { WireUser } from '../access/caller.ts';
import { step } from '../bson/turns.ts';
import type { Cursors } from '../commands/context/cursors.ts';
import type { SessionKey, Sessions } from '../commands/context/sessions.ts';
import { SESSION_MINUTES } from '../commands/sessions/session-minutes.ts';
import { partsOf, sessionKey } from '../commands/shared/session-key.ts';
import { ServerError } from '../errors/server-error.ts';
import { MAX_SESSIONS } from '../parameters/known.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { StorageError } from '../storage/file/storage-error.ts';

const IDLE_MS = SESSION_MINUTES * 60 * 1000;
const SWEEP_MS = 5 * 60 * 1000;
/** Maximum number of sessions that a sweep ends, which takes about 10 ms, and the pause before the next sweep. */
const SWEPT_AT_ONCE = 10_000;
const PAUSE_MS = 20;

/**
 * The value of `txnNumber` until the first retryable write or transaction of the session since the cluster
 * was opened.
 */
const UNKNOWN = -1n;

interface Session {
  /** The time of the last use, in monotonic machine time. */
  used: number;
  /** The highest number of a retryable write or transaction so far. */
  txnNumber: bigint;
}

/** The active sessions of a cluster, in memory. The results of their writes are in the store. */
export class SessionTable implements Sessions {
  readonly #clock: MachineClock;
  readonly #random: Random;
  readonly #cursors: Cursors;
  readonly #store: ClusterStore;
  readonly #sessions = new Map<string, Session>();
  readonly #sweeping: Repetition;
  /** False if the file contains no results of retryable writes. */
  #mayForgetRetries = true;
  /** The session after which the next sweep looks for old results of retryable writes; undefined after all were seen. */
  #retriesAfter: string | undefined;
  /** True if the sweeps since the start of the table have found results that are not old. */
  #keptRetries = false;
  /** True if the last sweep may have left idle sessions. */
  #mayHaveIdle = false;
  /** Called for each session that ends. */
  onEnd: (session: string) => void = () => {};

  constructor(clock: MachineClock, random: Random, cursors: Cursors, store: ClusterStore) {
    this.#clock = clock;
    this.#random = random;
    this.#cursors = cursors;
    this.#store = store;
    this.#sweeping = repeat({
      machine: clock,
      run: () => this.#sweep(),
      // The sweep also runs without sessions, because records of an earlier process must expire as well.
      interval: () => {
        if (this.#mayHaveIdle || this.#retriesAfter !== undefined) return PAUSE_MS;
        return this.#mayForgetRetries || this.size > 0 ? SWEEP_MS : Number.POSITIVE_INFINITY;
      },
      onError: rethrow,
    });
  }

  get size(): number {
    return this.#sessions.size;
  }

  start(user: WireUser | undefined): Uint8Array {
    const id = Buffer.from(this.#random.uuid().replaceAll('-', ''), 'hex');
    this.use(sessionKey(id.toString('hex'), user));
    return id;
  }

  use(session: string): void {
    this.#touch(session);
  }

  end(sessions: Iterable<string>): void {
    for (const session of sessions) {
      step();
      this.onEnd(session);
      this.#sessions.delete(session);
      this.#cursors.closeSession(session);
    }
  }

  find(wanted: (session: SessionKey) => boolean): string[] {
    return [...this.#sessions.keys()].filter((session) => {
      step();
      return wanted(partsOf(session));
    });
  }

  idle(session: string): number | undefined {
    const known = this.#sessions.get(session);
    return known && this.#clock.monotonic() - known.used;
  }

  /**
   * Starts or continues a write or transaction with a number. Throws `TransactionTooOld` if one with a higher number
   * has started. `stored` is the last number in the file.
   */
  begin(session: string, txnNumber: bigint, stored: bigint, transaction = false): void {
    const entry = this.#touch(session);
    const latest = entry.txnNumber > stored ? entry.txnNumber : stored;
    if (txnNumber < latest) throw tooOld(partsOf(session).id, txnNumber, latest, transaction);
    entry.txnNumber = txnNumber;
  }

  /**
   * True if the number is higher than the latest number of the session that this process knows. In this case, the file
   * does not contain the number either. Returns false if no number is known.
   */
  isNew(session: string, txnNumber: bigint): boolean {
    const latest = this.#sessions.get(session)?.txnNumber ?? UNKNOWN;
    return latest !== UNKNOWN && txnNumber > latest;
  }

  close(): void {
    this.#sessions.clear();
    void this.#sweeping.stop();
  }

  #touch(session: string): Session {
    const used = this.#clock.monotonic();
    const known = this.#sessions.get(session);
    if (known !== undefined) {
      known.used = used;
      return known;
    }
    if (this.#sessions.size >= MAX_SESSIONS) {
      throw new ServerError(
        'TooManyLogicalSessions',
        'Unable to add session into the cache because the number of active sessions is too high',
      );
    }
    const entry = { used, txnNumber: UNKNOWN };
    this.#sessions.set(session, entry);
    this.#sweeping.wake(SWEEP_MS);
    return entry;
  }

  #sweep(): void {
    const oldest = this.#clock.monotonic() - IDLE_MS;
    const idle: string[] = [];
    for (const [session, { used }] of this.#sessions) {
      if (idle.length >= SWEPT_AT_ONCE) break;
      if (used <= oldest) idle.push(session);
    }
    this.end(idle);
    this.#mayHaveIdle = idle.length >= SWEPT_AT_ONCE;
    this.#forgetRetries();
  }

  #forgetRetries(): void {
    if (this.#store.mustWait) return;
    try {
      const { last, kept } = this.#store.forgetRetries(this.#clock.now() - IDLE_MS, this.#retriesAfter ?? '');
      if (kept) this.#keptRetries = true;
      this.#retriesAfter = last;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      // The disk is full or the file is in use; the next sweep tries again.
      this.#keptRetries = true;
      this.#retriesAfter = undefined;
    }
    if (this.#retriesAfter !== undefined) return;
    this.#mayForgetRetries = this.#keptRetries;
    this.#keptRetries = false;
  }
}

function tooOld(sessionId: string, number: bigint, latest: bigint, transaction: boolean): ServerError {
  return new ServerError(
    'TransactionTooOld',
    transaction
      ? `Cannot start transaction with { txnNumber: ${number} } on session ${sessionId} because a newer transaction ` +
          `with { txnNumber: ${latest} } has already started on this session.`
      : `Retryable write with txnNumber ${number} is prohibited on session ${sessionId} ` +
          `because a newer retryable write with txnNumber ${latest} has already started on this session.`,
  );
}
