import { setTimeout } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Reply } from '../http.ts';
import { type Dice, dice } from '../random.ts';
import { kinds } from './kinds/index.ts';
import type { Asked, Kind, Place } from './kinds/kind.ts';
import { fatesOf, type Intent, isMuddled, learn, newThing, type Outcome, type Thing } from './worlds.ts';

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
  /** How many of each kind have had a name. */
  readonly #numbers = new Map<Kind, number>();
  /** Set while callers must pause. */
  #pause: PromiseWithResolvers<void> | undefined;
  #underWay = new Set<Promise<void>>();

  constructor(place: Place, clients: readonly Client[], seed: number) {
    this.#place = place;
    this.#clients = clients;
    this.#seed = seed;
  }

  get calls(): number {
    return this.outcomes.done + this.outcomes.refused + this.outcomes.unknown;
  }

  /** As long as `goesOn` says so. */
  async work(goesOn: () => boolean): Promise<void> {
    await Promise.all(
      this.#clients.map(async (client, index) => {
        const chance = dice(this.#seed + index);
        while (goesOn()) {
          await this.paused;
          const call = this.#call(client, chance);
          this.#underWay.add(call);
          await call.finally(() => this.#underWay.delete(call));
        }
      }),
    );
  }

  /** Resolves when every call has had its answer or has lost its connection; until `resume` there is no other. */
  async pause(): Promise<void> {
    this.#pause ??= Promise.withResolvers();
    await Promise.all(this.#underWay);
  }

  /** Resolves when callers may continue. */
  get paused(): Promise<void> | undefined {
    return this.#pause?.promise;
  }

  resume(): void {
    this.#pause?.resolve();
    this.#pause = undefined;
  }

  async #call(client: Client, chance: Dice): Promise<void> {
    const kind = kinds[chance.below(kinds.length)] as Kind;
    const before = this.things.length;
    const thing = this.#thingOf(kind, chance);
    if (thing === undefined) return;
    const isNew = this.things.length > before;
    const value = kind.values[chance.below(kind.values.length)] ?? '';
    const isThere = !fatesOf(thing).has(undefined);
    const isRemoval = isThere && (kind.change === undefined || chance.below(3) === 0);
    const wish: Intent = isRemoval ? { what: 'remove' } : { what: isThere ? 'change' : 'make', value };
    thing.busy = true;
    const reply = await this.#send(client, () => this.#asked(client, thing, wish));
    if (reply === 'nothing was sent') {
      if (isNew) this.things.splice(this.things.indexOf(thing), 1);
      await setTimeout(AWAY_MS);
    } else this.#learn(thing, wish, reply);
    thing.busy = false;
  }

  #learn(thing: Thing, wish: Intent, reply: Reply | undefined): void {
    const outcome = outcomeOf(thing.kind, wish, reply);
    this.outcomes[outcome === 'absent' || outcome === 'taken' ? 'refused' : outcome]++;
    if (learn(thing, wish, outcome)) return;
    const { name, unanswered } = thing;
    const fates = [...fatesOf(thing)].map(String).join(' or ');
    const said = `${wish.what} ${name} was answered ${reply?.status} ${reply?.text.slice(0, 300)}`;
    this.findings.push(`${said}, while it was ${fates}; ${unanswered.length} calls without an answer`);
  }

  /** Nothing where it is found by its id, and not found. */
  async #asked(client: Client, thing: Thing, { what, value = '' }: Intent): Promise<Asked | undefined> {
    const { kind, name } = thing;
    const place = this.#place;
    if (what === 'make') return kind.make(place, name, value);
    let key: string | undefined = name;
    if (kind.isKnownById === true) {
      const shown = (await kind.list(client, place)).find((one) => one.name === name);
      if (shown?.called ?? shown?.id) thing.called.add(shown?.called ?? shown?.id ?? '');
      key = shown?.id;
    }
    if (key === undefined) return undefined;
    return what === 'remove' ? kind.remove(place, key) : kind.change?.(place, key, value, name);
  }

  /** The answer; nothing where the connection broke before it. */
  async #send(
    client: Client,
    find: () => Promise<Asked | undefined>,
  ): Promise<Reply | undefined | 'nothing was sent'> {
    // Without a target that can be looked up, no request is sent.
    const asked = await find().catch(() => undefined);
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
    const isUnsure = (thing: Thing) => fatesOf(thing).size > 1 && fatesOf(thing).has(undefined);
    const free = own.filter(
      (thing) => !thing.busy && !isMuddled(thing) && !(kind.isKnownById === true && isUnsure(thing)),
    );
    const there = own.filter((thing) => fatesOf(thing).size > 1 || !fatesOf(thing).has(undefined));
    const isFull = there.length >= (kind.atMost ?? MOST);
    if (free.length > 0 && (isFull || chance.below(2) === 0)) return free[chance.below(free.length)];
    if (isFull) return undefined;
    const number = this.#numbers.get(kind) ?? 0;
    this.#numbers.set(kind, number + 1);
    const thing = newThing(kind, `${kind.name}-${number}`);
    this.things.push(thing);
    return thing;
  }

  /** Trouble has a form of its own: 503, and the code for it. */
  #look({ method, path }: Asked, reply: Reply): void {
    if (reply.status < SERVER_ERROR) return;
    if (reply.status !== 503 || codeOf(reply) !== 'SERVICE_UNAVAILABLE')
      this.findings.push(`${method} ${path}: ${reply.status} ${reply.text}`);
  }
}

/** Things of one kind that are there at once. */
const MOST = 40;
const ACKNOWLEDGED = 300;
const NOT_FOUND = 404;
const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

const codeOf = (reply: Reply) => reply.headers.get('x-error-code');

/** A connection that broke has told nothing, nor has a service that was in trouble. */
function outcomeOf(kind: Kind, { what }: Intent, reply: Reply | undefined): Outcome {
  if (reply === undefined || reply.status >= SERVER_ERROR) return 'unknown';
  if (reply.status < ACKNOWLEDGED) return 'done';
  if (reply.status < BAD_REQUEST) throw new Error(`A status that nobody expects: ${reply.status}`);
  // During asynchronous work, requests are rejected in many ways.
  if (kind.isSlow === true) return 'refused';
  if (reply.status === NOT_FOUND && what !== 'make') return 'absent';
  return kind.taken !== undefined && codeOf(reply) === kind.taken ? 'taken' : 'refused';
}

/** Until a caller tries an instance again that is not there. */
const AWAY_MS = 20;

/** The service is gone, or has hung up. */
export function isBroken(error: unknown): boolean {
  return /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|aborted|disconnected before secure/.test(
    String(error),
  );
}
