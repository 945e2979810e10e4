import { type Random, seededFraction } from '@portolan/foundation/random';
import type { Document } from 'bson';
import { ServerError } from '../errors/server-error.ts';
import type { WireFault } from '../interface/engine.ts';
import { errorOf, type Failure, labelled, noFailure } from './fail-point-answers.ts';
import {
  type CommandAttempt,
  type FailPointCounter,
  failCommands,
  failPointKinds,
  lagging,
  type Match,
} from './fail-point-kinds.ts';
import { type FailPointMode, modeOf } from './fail-point-mode.ts';

/**
 * This file implements the command `configureFailPoint`, for tests of drivers and programs. A fail point makes
 * commands of a member fail, close their connection or take longer. The command exists only in an engine without a
 * service. In a managed cluster, the operator declares faults instead.
 */

/** An active fail point of one member. */
class ActiveFailPoint implements FailPointCounter {
  readonly match: Match;
  readonly #probability: number;
  /** Returns a random number from 0 (inclusive) to 1 (exclusive) for the match with this number. */
  readonly #draw: (match: number) => number;
  readonly #entered: () => void;
  #matches = 0;
  /** Number of remaining matches without an effect. */
  #skip: number;
  /** Number of remaining matches with an effect. */
  #times: number;

  constructor(
    match: Match,
    { skip, times, probability }: FailPointMode,
    draw: (match: number) => number,
    entered: () => void,
  ) {
    this.match = match;
    this.#skip = skip;
    this.#times = times;
    this.#probability = probability;
    this.#draw = draw;
    this.#entered = entered;
  }

  get isExhausted(): boolean {
    return this.#times <= 0;
  }

  enter(matches: number): boolean {
    let fails = false;
    for (let i = 0; i < matches; i++) {
      this.#matches++;
      if (this.#skip > 0) this.#skip--;
      else if (!this.isExhausted && this.#draw(this.#matches) < this.#probability) {
        this.#times--;
        this.#entered();
        fails = true;
      }
    }
    return fails;
  }
}

/** The active fail points and the declared faults of one cluster. */
export class FailPoints {
  /** The active fail points by member and name. */
  readonly #active = new Map<string, Map<string, ActiveFailPoint>>();
  /** The number of times that each fail point took effect, by member and name. */
  readonly #entered = new Map<string, number>();
  /** The declared faults by id. They apply to all members. */
  #declared = new Map<string, ActiveFailPoint>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Replaces the declared faults. A fault that was declared before keeps its counters. */
  declare(faults: readonly WireFault[]): void {
    const before = this.#declared;
    this.#declared = new Map(
      faults.map((fault) => [fault.id, before.get(fault.id) ?? this.#activate(fault)]),
    );
  }

  #activate(fault: WireFault): ActiveFailPoint {
    const { commands, closeConnection, errorCode, delay = 0, skip, times, probability, seed } = fault;
    const match = failCommands(commands, {
      ...noFailure,
      closeConnection: closeConnection === true,
      blockMs: delay,
      error: errorCode === undefined ? undefined : errorOf(errorCode, 'The operator declared this fault'),
    });
    const mode = { skip, times: times ?? Number.POSITIVE_INFINITY, probability };
    const draw = seed === undefined ? this.#random.fraction : (match: number) => seededFraction(seed, match);
    return new ActiveFailPoint(match, mode, draw, () => {});
  }

  /** Returns the reply to `configureFailPoint`. */
  configure(member: string, body: Document): Document {
    const { configureFailPoint: name, mode, data = {} } = body;
    const kind = Object.hasOwn(failPointKinds, name) ? failPointKinds[name] : undefined;
    if (kind === undefined) throw new ServerError('FailPointSetFailed', `${name} not found`);
    const parsed = modeOf(mode);
    const active = this.#active.get(member) ?? new Map<string, ActiveFailPoint>();
    active.delete(name);
    const key = `${member}/${name}`;
    const count = this.#entered.get(key) ?? 0;
    const entered = () => this.#entered.set(key, (this.#entered.get(key) ?? 0) + 1);
    if (parsed !== undefined)
      active.set(name, new ActiveFailPoint(kind(data), parsed, this.#random.fraction, entered));
    if (active.size === 0) this.#active.delete(member);
    else this.#active.set(member, active);
    return { count };
  }

  /** True if any fail point or fault is active. This is evaluated for each command. */
  get any(): boolean {
    return this.#active.size > 0 || this.#declared.size > 0;
  }

  /** Returns the effect of fail points and faults on a command of a member. Returns undefined if there is no effect. */
  match(member: string, attempt: CommandAttempt): Failure | undefined {
    const matched = this.#failure(member, attempt);
    const { sections } = attempt;
    const failure = matched && sections ? labelled(matched, sections) : matched;
    const untimed = this.#active.get(member)?.get('maxTimeNeverTimeOut')?.enter(1) === true;
    return untimed ? { ...(failure ?? noFailure), untimed } : failure;
  }

  #failure(member: string, attempt: CommandAttempt): Failure | undefined {
    for (const active of [...(this.#active.get(member)?.values() ?? []), ...this.#declared.values()]) {
      const failure = active.isExhausted ? undefined : active.match(attempt, active);
      if (failure !== undefined) return failure;
    }
    const stopped = attempt.members.filter((id) => this.#active.get(id)?.has('stopReplProducer') === true);
    return stopped.length === 0 ? undefined : lagging(attempt, stopped.length);
  }
}
