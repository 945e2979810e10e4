import type { Document } from 'bson';
import { ServerError } from '../errors/server-error.ts';
import type { Failure } from './fail-point-answers.ts';
import { failPointKinds, lagging, type Meet, type Meeting, type Turns } from './fail-point-kinds.ts';

/**
 * `configureFailPoint`, for tests of drivers and programs: makes commands of one member fail, end their connection or
 * take long. Only where the engine runs alone; a managed cluster does not know the command.
 */

interface Counted {
  /** So many pass first. */
  skip: number;
  /** So many are met after that. */
  times: number;
}

/** One fail point of one member while it is on. */
class Armed implements Turns {
  readonly meet: Meet;
  readonly #counted: Counted;
  readonly #entered: () => void;

  constructor(meet: Meet, counted: Counted, entered: () => void) {
    this.meet = meet;
    this.#counted = counted;
    this.#entered = entered;
  }

  get spent(): boolean {
    return this.#counted.times <= 0;
  }

  enter(places: number): boolean {
    let met = false;
    for (let i = 0; i < places; i++) {
      if (this.#counted.skip > 0) this.#counted.skip--;
      else if (!this.spent) {
        this.#counted.times--;
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

  /** The answer to `configureFailPoint`. */
  configure(member: string, body: Document): Document {
    const { configureFailPoint: name, mode, data = {} } = body;
    const kind = Object.hasOwn(failPointKinds, name) ? failPointKinds[name] : undefined;
    if (kind === undefined) throw new ServerError('FailPointSetFailed', `${name} not found`);
    const counted = countedOf(mode);
    const armed = this.#armed.get(member) ?? new Map<string, Armed>();
    armed.delete(name);
    const key = `${member}/${name}`;
    const count = this.#entered.get(key) ?? 0;
    const entered = () => this.#entered.set(key, (this.#entered.get(key) ?? 0) + 1);
    if (counted !== undefined) armed.set(name, new Armed(kind(data), counted, entered));
    if (armed.size === 0) this.#armed.delete(member);
    else this.#armed.set(member, armed);
    return { count };
  }

  /** Whether any is on; asked for each command. */
  get any(): boolean {
    return this.#armed.size > 0;
  }

  /** What happens to a command that a member is asked for. */
  meet(member: string, meeting: Meeting): Failure | undefined {
    for (const armed of this.#armed.get(member)?.values() ?? []) {
      const failure = armed.spent ? undefined : armed.meet(meeting, armed);
      if (failure !== undefined) return failure;
    }
    const stopped = meeting.members.filter((id) => this.#armed.get(id)?.has('stopReplProducer') === true);
    return stopped.length === 0 ? undefined : lagging(meeting, stopped.length);
  }
}

/** How often it is met; absent: it is off. */
function countedOf(mode: unknown): Counted | undefined {
  if (mode === 'off') return undefined;
  if (mode === 'alwaysOn') return { skip: 0, times: Number.POSITIVE_INFINITY };
  const { times, skip } = (typeof mode === 'object' && mode !== null ? mode : {}) as Document;
  if (times !== undefined) return Number(times) > 0 ? { skip: 0, times: Number(times) } : undefined;
  if (skip !== undefined) return { skip: Number(skip), times: Number.POSITIVE_INFINITY };
  throw new ServerError('BadValue', "'mode' must be one of 'off', 'alwaysOn', 'times' and 'skip'");
}
