import type { WireCaller } from '../access/caller.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { Command } from '../commands/context/command.ts';
import type { RunningOperation } from '../commands/context/operations.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import type { UnsatisfiedConcern } from '../commands/context/unsatisfied-concern.ts';
import { Interruption, interruptions } from '../errors/interruption.ts';
import type { ServerError } from '../errors/server-error.ts';
import type { MemoryUse } from '../language/workspace.ts';
import type { CreatedCollection } from '../observe/observer.ts';
import { type Examined, noneExamined, type Progress } from '../storage/model/running-statement.ts';
import type { WireRequest } from './protocol.ts';

/** Receives the reply to a request, an encoded document. */
export type Respond = (document: Uint8Array) => void;

const nothingExamined = noneExamined();

/** A request from its arrival to its reply. */
export class Operation implements RunningOperation {
  readonly id: number;
  readonly wire: WireRequest;
  readonly respond: Respond;
  /** Monotonic machine time at which the request arrived. */
  readonly arrived: number;
  /** Monotonic machine time at which the operation last started to run. */
  began: number;
  state: RunningOperation['state'] = 'queued';
  command: Command | undefined;
  writes = false;
  /** The body of the command, which is known even if the command has been rejected. */
  parsed: RawDocument | undefined;
  request: CommandRequest | undefined;
  /** Monotonic machine time at which the time limit of the caller ends. */
  deadline = Number.POSITIVE_INFINITY;
  /** Monotonic machine time at which the transaction of the operation expires. */
  expires = Number.POSITIVE_INFINITY;
  /** Monotonic machine time until which the operation waits for a change. */
  awaitUntil: number | undefined;
  awaitTimedOut = false;
  /** Number of times that the operation was postponed. Each time, its budget grows (`Statements`). */
  attempts = 0;
  /** True if `ConnectionOrder` counts the operation as an unfinished write. */
  ordered = false;
  /** Why the write concern cannot be satisfied; undefined if it can. */
  unsatisfied: UnsatisfiedConcern | undefined;
  /** True if a part of the changes is committed. The operation then cannot run again from the start. */
  divided = false;
  /** True if the connection of the request is closed. */
  orphan = false;
  /** The keys and documents that the operation has examined. */
  examined: Examined = nothingExamined;
  originating: RawDocument | undefined;
  created: readonly CreatedCollection[] | undefined;
  progress: Progress | undefined;
  memory: MemoryUse = { bytes: 0 };
  /** Number of times that the operation has yielded to others. */
  yields = 0;
  /** What a background write does; undefined for requests. */
  purpose: string | undefined;
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

  /** True if the client waits for no reply. The operation may be a read if it has not been parsed yet. */
  get expectsNoReply(): boolean {
    const { wire, request, command, writes } = this;
    if (request?.unacknowledged) return true;
    return wire.moreToCome === true && (command === undefined || writes);
  }

  /** True for a statement of a multi-document transaction. Such a statement cannot run twice. */
  get inTransaction(): boolean {
    return this.request?.body.has('autocommit') ?? false;
  }

  /** True if the command has `apiStrict`. */
  get isStrict(): boolean {
    return this.request?.body.bool('apiStrict') === true;
  }

  /**
   * Throws `Interruption` if the operation was killed, if its deadline has passed, or if its transaction has expired.
   */
  checkEnd(now: number): void {
    if (this.#killed !== undefined) throw new Interruption(this.#killed);
    if (now >= this.deadline) throw new Interruption(interruptions.timeLimit());
    if (now >= this.expires) throw new Interruption(interruptions.transactionExpired());
  }

  /**
   * True for an operation that can be rolled back and run again from the start, and for an operation that is not
   * parsed yet.
   */
  get repeatable(): boolean {
    const { command } = this;
    if (command === undefined) return true;
    if (command.operation === 'getmore' || this.inTransaction) return false;
    return this.writes || command.readConcern !== 'local';
  }
}
