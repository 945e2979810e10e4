import { setTimeout } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Reply } from '../http.ts';
import { type Dice, dice } from '../random.ts';
import { type Kind, learn, outcomeOf, type Place, type Thing } from './fates.ts';
import { kinds, nameOf } from './kinds.ts';

/** Many callers who make, change and remove things, each thing by one call at a time. */
export class Callers {
  readonly things: Thing[] = [];
  /** How many calls have had which outcome. */
  readonly outcomes = { done: 0, refused: 0, unknown: 0 };
  /** Answers that must not be. */
  readonly findings: string[] = [];
  readonly #place: Place;
  readonly #clients: readonly Client[];
  readonly #seed: number;

  constructor(place: Place, clients: readonly Client[], seed: number) {
    this.#place = place;
    this.#clients = clients;
    this.#seed = seed;
  }

  get calls(): number {
    return this.outcomes.done + this.outcomes.refused + this.outcomes.unknown;
  }

  /** Until so many calls are made by each. */
  async work(count: number, goesOn: () => boolean): Promise<void> {
    await Promise.all(
      this.#clients.map(async (client, index) => {
        const chance = dice(this.#seed + index);
        for (let call = 0; call < count && goesOn(); call++) await this.#call(client, chance);
      }),
    );
  }

  async #call(client: Client, chance: Dice): Promise<void> {
    const kind = kinds[chance.below(kinds.length)] as Kind;
    const thing = this.#thingOf(kind, chance);
    if (thing === undefined) return;
    const value = kind.values[chance.below(kind.values.length)] ?? '';
    const isRemoval = !thing.fates.has(undefined) && chance.below(3) === 0;
    const asked = isRemoval
      ? kind.remove(this.#place, thing.name)
      : thing.fates.has(undefined)
        ? kind.make(this.#place, thing.name, value)
        : kind.change(this.#place, thing.name, value);
    thing.busy = true;
    const reply = await client.send(asked.method, asked.path, asked.body).catch((error) => {
      if (!isBroken(error)) this.findings.push(`${asked.method} ${asked.path}: ${error}`);
      return error as Error;
    });
    if (reply instanceof Error && isNobodyThere(reply)) {
      // Nothing was sent.
      thing.busy = false;
      await setTimeout(AWAY_MS);
      return;
    }
    const answer = reply instanceof Error ? undefined : reply;
    const outcome = outcomeOf(answer);
    this.#look(asked, answer);
    this.outcomes[outcome]++;
    learn(thing, isRemoval ? undefined : value, outcome);
    thing.busy = false;
  }

  /** One that is there, or a new one. */
  #thingOf(kind: Kind, chance: Dice): Thing | undefined {
    const own = this.things.filter((thing) => thing.kind === kind);
    const free = own.filter(({ busy }) => !busy);
    const isFull =
      own.filter(({ fates }) => fates.size > 1 || !fates.has(undefined)).length >= (kind.atMost ?? 40);
    if (free.length > 0 && (isFull || chance.below(2) === 0)) return free[chance.below(free.length)];
    if (isFull) return undefined;
    const thing: Thing = {
      kind,
      name: nameOf(kind, own.length),
      busy: false,
      fates: new Set([undefined]),
      made: { sure: 0, unsure: 0 },
    };
    this.things.push(thing);
    return thing;
  }

  /** Trouble has a form of its own: 503, and the code for it. */
  #look({ method, path }: { method: string; path: string }, reply: Reply | undefined): void {
    if (reply === undefined || reply.status < 500) return;
    const code = reply.headers.get('x-error-code');
    if (reply.status !== 503 || code !== 'SERVICE_UNAVAILABLE')
      this.findings.push(`${method} ${path}: ${reply.status} ${reply.text}`);
  }
}

/** Until a caller tries an instance again that is not there. */
const AWAY_MS = 20;

const isNobodyThere = (error: Error) => String(error).includes('ECONNREFUSED');

/** The service is gone, or has hung up. */
export function isBroken(error: unknown): boolean {
  return /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|aborted|disconnected before secure/.test(
    String(error),
  );
}
