import { setTimeout } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Reply } from '../http.ts';
import { type Dice, dice } from '../random.ts';
import { type Asked, type Kind, learn, outcomeOf, type Place, type Thing } from './fates.ts';
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
    const isThere = !thing.fates.has(undefined);
    const isRemoval = isThere && (kind.change === undefined || chance.below(3) === 0);
    thing.busy = true;
    const reply = await this.#send(client, () => {
      if (isRemoval) return kind.remove(this.#place, thing.name, client);
      if (isThere) return kind.change?.(this.#place, thing.name, value, client);
      return kind.make(this.#place, thing.name, value);
    });
    if (reply === 'nothing was sent') {
      thing.busy = false;
      await setTimeout(AWAY_MS);
      return;
    }
    const outcome = outcomeOf(reply);
    this.outcomes[outcome]++;
    learn(thing, isRemoval ? undefined : value, outcome);
    thing.busy = false;
  }

  /** The answer; nothing where the connection broke before it. */
  async #send(
    client: Client,
    find: () => Asked | Promise<Asked | undefined> | undefined,
  ): Promise<Reply | undefined | 'nothing was sent'> {
    // Whoever cannot look for a thing asks nothing of it.
    const asked = await (async () => find())().catch(() => undefined);
    if (asked === undefined) return 'nothing was sent';
    try {
      const reply = await client.send(asked.method, asked.path, asked.body);
      this.#look(asked, reply);
      return reply;
    } catch (error) {
      if (String(error).includes('ECONNREFUSED')) return 'nothing was sent';
      if (!isBroken(error)) this.findings.push(`${asked.method} ${asked.path}: ${error}`);
      return undefined;
    }
  }

  /** One that is there, or a new one. */
  #thingOf(kind: Kind, chance: Dice): Thing | undefined {
    const own = this.things.filter((thing) => thing.kind === kind);
    const free = own.filter(
      ({ busy, fates }) => !busy && !(kind.isNamedFreely === true && fates.size > 1 && fates.has(undefined)),
    );
    const isFull =
      own.filter(({ fates }) => fates.size > 1 || !fates.has(undefined)).length >= (kind.atMost ?? 40);
    if (free.length > 0 && (isFull || chance.below(2) === 0)) return free[chance.below(free.length)];
    if (isFull) return undefined;
    const thing: Thing = {
      kind,
      name: nameOf(kind, own.length),
      busy: false,
      fates: new Set([undefined]),
      late: new Set(),
      made: { sure: 0, unsure: 0 },
    };
    this.things.push(thing);
    return thing;
  }

  /** Trouble has a form of its own: 503, and the code for it. */
  #look({ method, path }: Asked, reply: Reply): void {
    if (reply.status < 500) return;
    const code = reply.headers.get('x-error-code');
    if (reply.status !== 503 || code !== 'SERVICE_UNAVAILABLE')
      this.findings.push(`${method} ${path}: ${reply.status} ${reply.text}`);
  }
}

/** Until a caller tries an instance again that is not there. */
const AWAY_MS = 20;

/** The service is gone, or has hung up. */
export function isBroken(error: unknown): boolean {
  return /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|aborted|disconnected before secure/.test(
    String(error),
  );
}
