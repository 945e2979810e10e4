import { drawn, type Random } from '@portolan/foundation/random';
import type { Document } from 'bson';
import { ServerError } from '../errors/server-error.ts';
import type { WireFault } from '../interface/engine.ts';
import { errorOf, type Failure, noFailure } from './fail-point-answers.ts';
import {
  failCommands,
  failPointKinds,
  lagging,
  type Meet,
  type Meeting,
  type Turns,
} from './fail-point-kinds.ts';
import { type FailPointMode, modeOf } from './fail-point-mode.ts';

/**
 * `configureFailPoint`, for tests of drivers and programs: makes commands of one member fail, end their connection or
 * take long. Only where the engine runs alone; a managed cluster does not know the command, and
 * meets what its operator has declared.
 */

/** One fail point of one member while it is on. */
class Armed implements Turns {
  readonly meet: Meet;
  readonly #probability: number;
  /** From 0 to below 1, for the place of this number. */
  readonly #draw: (place: number) => number;
  readonly #entered: () => void;
  #places = 0;
  /** So many places pass first. */
  #skip: number;
  /** At so many it is met after that. */
  #times: number;

  constructor(
    meet: Meet,
    { skip, times, probability }: FailPointMode,
    draw: (place: number) => number,
    entered: () => void,
  ) {
    this.meet = meet;
    this.#skip = skip;
    this.#times = times;
    this.#probability = probability;
    this.#draw = draw;
    this.#entered = entered;
  }

  get spent(): boolean {
    return this.#times <= 0;
  }

  enter(places: number): boolean {
    let met = false;
    for (let i = 0; i < places; i++) {
      this.#places++;
      if (this.#skip > 0) this.#skip--;
      else if (!this.spent && this.#draw(this.#places) < this.#probability) {
        this.#times--;
        this.#entered();
        met = true;
      }
    }
    return met;
  }
}

/** The fail points of one cluster: each member has its own. */
export class FailPoints {
  /** By member and name. */
  readonly #armed = new Map<string, Map<string, Armed>>();
  /** How often each was met. */
  readonly #entered = new Map<string, number>();
  /** On all members together, by id. */
  #declared = new Map<string, Armed>();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Exactly these are declared from now on; those that were before go on counting. */
  declare(faults: readonly WireFault[]): void {
    const before = this.#declared;
    this.#declared = new Map(
      faults.map((fault) => [fault.id, before.get(fault.id) ?? this.#armedFor(fault)]),
    );
  }

  #armedFor(fault: WireFault): Armed {
    const { commands, closeConnection, errorCode, delay = 0, skip, times, probability, seed } = fault;
    const meet = failCommands(commands, {
      ...noFailure,
      closeConnection: closeConnection === true,
      blockMs: delay,
      error: errorCode === undefined ? undefined : errorOf(errorCode, 'The operator has declared this fault'),
    });
    const mode = { skip, times: times ?? Number.POSITIVE_INFINITY, probability };
    const draw = seed === undefined ? this.#random.fraction : (place: number) => drawn(seed, place);
    return new Armed(meet, mode, draw, () => {});
  }

  /** The answer to `configureFailPoint`. */
  configure(member: string, body: Document): Document {
    const { configureFailPoint: name, mode, data = {} } = body;
    const kind = Object.hasOwn(failPointKinds, name) ? failPointKinds[name] : undefined;
    if (kind === undefined) throw new ServerError('FailPointSetFailed', `${name} not found`);
    const turns = modeOf(mode);
    const armed = this.#armed.get(member) ?? new Map<string, Armed>();
    armed.delete(name);
    const key = `${member}/${name}`;
    const count = this.#entered.get(key) ?? 0;
    const entered = () => this.#entered.set(key, (this.#entered.get(key) ?? 0) + 1);
    if (turns !== undefined) armed.set(name, new Armed(kind(data), turns, this.#random.fraction, entered));
    if (armed.size === 0) this.#armed.delete(member);
    else this.#armed.set(member, armed);
    return { count };
  }

  /** Whether any is on; asked for each command. */
  get any(): boolean {
    return this.#armed.size > 0 || this.#declared.size > 0;
  }

  /** What happens to a command that a member is asked for. */
  meet(member: string, meeting: Meeting): Failure | undefined {
    const failure = this.#failure(member, meeting);
    const untimed = this.#armed.get(member)?.get('maxTimeNeverTimeOut')?.enter(1) === true;
    return untimed ? { ...(failure ?? noFailure), untimed } : failure;
  }

  #failure(member: string, meeting: Meeting): Failure | undefined {
    for (const armed of [...(this.#armed.get(member)?.values() ?? []), ...this.#declared.values()]) {
      const failure = armed.spent ? undefined : armed.meet(meeting, armed);
      if (failure !== undefined) return failure;
    }
    const stopped = meeting.members.filter((id) => this.#armed.get(id)?.has('stopReplProducer') === true);
    return stopped.length === 0 ? undefined : lagging(meeting, stopped.length);
  }
}
