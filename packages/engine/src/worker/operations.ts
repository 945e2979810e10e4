import type { WireCaller } from '../access/caller.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { Command } from '../commands/context/command.ts';
import type { RunningOperation } from '../commands/context/operations.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import type { UnsatisfiedConcern } from '../commands/context/unsatisfied-concern.ts';
import { Interruption, interruptions, Postponed } from '../errors/interruption.ts';
import type { ServerError } from '../errors/server-error.ts';
import type { CreatedCollection } from '../observe/observer.ts';
import { type Examined, noneExamined } from '../storage/model/running-statement.ts';
import type { WireRequest } from './protocol.ts';

/** Receives the answer to one request as the bytes of a document. */
export type Respond = (document: Uint8Array) => void;

const nothingExamined = noneExamined();

/** One request, from its arrival to its answer. */
export class Operation implements RunningOperation {
  readonly id: number;
  readonly wire: WireRequest;
  readonly respond: Respond;
  /** Monotonic machine time of arrival. */
  readonly arrived: number;
  /** Monotonic machine time at which it last began to run. */
  began: number;
  state: RunningOperation['state'] = 'queued';
  command: Command | undefined;
  writes = false;
  request: CommandRequest | undefined;
  /** Monotonic machine time at which the caller's time limit ends. */
  deadline = Number.POSITIVE_INFINITY;
  /** Monotonic machine time until which it waits for a change. */
  awaitUntil: number | undefined;
  awaitTimedOut = false;
  /** Monotonic machine time after which it is undone and postponed, so that others run first. */
  budget = Number.POSITIVE_INFINITY;
  /** The operation was postponed once: it runs where it blocks few others. */
  long = false;
  /** The operation counts as a pending write in `ConnectionOrder`. */
  ordered = false;
  /** Why the write concern cannot be satisfied. */
  unsatisfied: UnsatisfiedConcern | undefined;
  /** The connection of the request is closed. */
  orphan = false;
  /** Keys and documents that it has examined. */
  examined: Examined = nothingExamined;
  originating: RawDocument | undefined;
  created: readonly CreatedCollection[] | undefined;
  /** How often it has yielded to others. */
  yields = 0;
  #killed: ServerError | undefined;

  constructor(id: number, wire: WireRequest, respond: Respond, arrived: number) {
    this.id = id;
    this.wire = wire;
    this.respond = respond;
    this.arrived = arrived;
    this.began = arrived;
  }

  get caller(): WireCaller {
    return this.wire.caller;
  }

  get untimed(): boolean {
    return this.wire.untimed === true;
  }

  get killed(): ServerError | undefined {
    return this.#killed;
  }

  kill(reason: ServerError): void {
    this.#killed ??= reason;
  }

  /** The operation is a statement of a multi-document transaction, which cannot run twice. */
  get inTransaction(): boolean {
    return this.request?.body.has('autocommit') ?? false;
  }

  /** The command has `apiStrict`. */
  get isStrict(): boolean {
    return this.request?.body.bool('apiStrict') === true;
  }

  /**
   * Throws `Interruption` if the operation was killed or is past its deadline, `Postponed` if it is past its budget.
   */
  check(now: number): void {
    this.checkEnd(now);
    if (now >= this.budget) throw new Postponed();
  }

  /** Like `check`, without the budget. */
  checkEnd(now: number): void {
    if (this.#killed !== undefined) throw new Interruption(this.#killed);
    if (now >= this.deadline) throw new Interruption(interruptions.timeLimit());
  }

  /** The operation can be undone and run again from the start. */
  get repeatable(): boolean {
    return this.command?.operation !== 'getmore' && !this.inTransaction;
  }
}
