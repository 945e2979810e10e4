import type { WireCaller } from '../access/caller.ts';
import type { RawDocument } from '../bson/raw.ts';
import type { Command } from '../commands/context/command.ts';
import type { RunningOperation } from '../commands/context/operations.ts';
import type { CommandRequest } from '../commands/context/request.ts';
import type { UnsatisfiedConcern } from '../commands/context/unsatisfied-concern.ts';
import { Interruption, interruptions, Postponed } from '../errors/interruption.ts';
import type { ServerError } from '../errors/server-error.ts';
import type { CreatedCollection } from '../observe/observer.ts';
import { type Examined, noneExamined } from '../storage/running-statement.ts';
import type { WireRequest } from './protocol.ts';

/** Takes the answer to one request: the document's bytes. */
export type Respond = (document: Uint8Array) => void;

const nothingExamined = noneExamined();

/** One request on its way from its arrival to its answer. */
export class Operation implements RunningOperation {
  readonly id: number;
  readonly wire: WireRequest;
  readonly respond: Respond;
  /** Monotonic machine time of its arrival. */
  readonly arrived: number;
  /** Monotonic machine time at which it was last begun. */
  began: number;
  state: RunningOperation['state'] = 'queued';
  command: Command | undefined;
  writes = false;
  request: CommandRequest | undefined;
  /** Monotonic machine time at which it has run for long enough, as its caller has it. */
  deadline = Number.POSITIVE_INFINITY;
  /** Monotonic machine time at which it has waited long enough for something to happen. */
  awaitUntil: number | undefined;
  awaitTimedOut = false;
  /** Monotonic machine time from which on it is taken back, so that others come first. */
  budget = Number.POSITIVE_INFINITY;
  /** It was taken back once: it runs where it holds up few others. */
  long = false;
  /** It is counted among the writes that its connection waits for. */
  ordered = false;
  /** Why what it writes can never be as its write concern wants. */
  unsatisfied: UnsatisfiedConcern | undefined;
  /** Its caller has gone. */
  orphan = false;
  /** What it has read, and how. */
  examined: Examined = nothingExamined;
  originating: RawDocument | undefined;
  created: readonly CreatedCollection[] | undefined;
  /** How often others were run while it was at it. */
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

  /** Of several statements in one transaction; such a statement cannot be run twice. */
  get inTransaction(): boolean {
    return this.request?.body.has('autocommit') ?? false;
  }

  /** It keeps to API Version 1. */
  get isStrict(): boolean {
    return this.request?.body.bool('apiStrict') === true;
  }

  /** Throws what ends it at `now`. */
  check(now: number): void {
    this.checkEnd(now);
    if (now >= this.budget) throw new Postponed();
  }

  /** The same, but that it has as much time as it needs. */
  checkEnd(now: number): void {
    if (this.#killed !== undefined) throw new Interruption(this.#killed);
    if (now >= this.deadline) throw new Interruption(interruptions.timeLimit());
  }

  /** What it does can be undone, or leaves nothing behind, so that it may be run again from the start. */
  get repeatable(): boolean {
    return this.command?.operation !== 'getmore' && !this.inTransaction;
  }
}
