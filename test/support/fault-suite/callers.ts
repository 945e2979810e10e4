import { setTimeout } from 'node:timers/promises';
import type { Client } from '../client.ts';
import type { Reply } from '../http.ts';
import { type Dice, dice } from '../random.ts';
import {
  hasManyLateCalls,
  type Intent,
  newResource,
  type Outcome,
  possibleValues,
  recordOutcome,
  type TrackedResource,
} from './histories.ts';
import { kinds } from './kinds/index.ts';
import type { ResourceKind, ResourceRequest, Target } from './kinds/kind.ts';

/**
 * Concurrent callers that create, change and delete resources. For each resource, there is at most one call at a time.
 */
export class Callers {
  readonly resources: TrackedResource[] = [];
  /** The number of calls by outcome. */
  readonly outcomes = { done: 0, rejected: 0, unknown: 0 };
  /** Unexpected errors, and responses that contradict earlier ones. */
  readonly findings: string[] = [];
  readonly #target: Target;
  readonly #clients: readonly Client[];
  readonly #seed: number;
  /** How many names have been used so far, by kind of resource. */
  readonly #numbers = new Map<ResourceKind, number>();
  /** Resolves when the callers may continue; undefined while they are not paused. */
  #pause: PromiseWithResolvers<void> | undefined;
  #inFlight = new Set<Promise<void>>();

  constructor(target: Target, clients: readonly Client[], seed: number) {
    this.#target = target;
    this.#clients = clients;
    this.#seed = seed;
  }

  get calls(): number {
    return this.outcomes.done + this.outcomes.rejected + this.outcomes.unknown;
  }

  /** Sends calls while `isRunning` returns true. */
  async work(isRunning: () => boolean): Promise<void> {
    await Promise.all(
      this.#clients.map(async (client, index) => {
        const chance = dice(this.#seed + index);
        while (isRunning()) {
          await this.paused;
          const call = this.#call(client, chance);
          this.#inFlight.add(call);
          await call.finally(() => this.#inFlight.delete(call));
        }
      }),
    );
  }

  /** Sends no further calls until `resume`. Resolves when every call has got its response or lost its connection. */
  async pause(): Promise<void> {
    this.#pause ??= Promise.withResolvers();
    await Promise.all(this.#inFlight);
  }

  /** Resolves when callers may continue; undefined if they are not paused. */
  get paused(): Promise<void> | undefined {
    return this.#pause?.promise;
  }

  resume(): void {
    this.#pause?.resolve();
    this.#pause = undefined;
  }

  async #call(client: Client, chance: Dice): Promise<void> {
    const kind = kinds[chance.below(kinds.length)] as ResourceKind;
    const before = this.resources.length;
    const resource = this.#pickResource(kind, chance);
    if (resource === undefined) return;
    const isNew = this.resources.length > before;
    const value = kind.values[chance.below(kind.values.length)] ?? '';
    const exists = !possibleValues(resource).has(undefined);
    const isDeletion = exists && (kind.change === undefined || chance.below(3) === 0);
    const intent: Intent = isDeletion ? { what: 'delete' } : { what: exists ? 'change' : 'create', value };
    resource.busy = true;
    const reply = await this.#send(client, () => this.#requestFor(client, resource, intent));
    if (reply === 'nothing was sent') {
      if (isNew) this.resources.splice(this.resources.indexOf(resource), 1);
      await setTimeout(RETRY_MS);
    } else this.#record(resource, intent, reply);
    resource.busy = false;
  }

  #record(resource: TrackedResource, intent: Intent, reply: Reply | undefined): void {
    const outcome = outcomeOf(resource.kind, intent, reply);
    this.outcomes[outcome === 'absent' || outcome === 'duplicate' ? 'rejected' : outcome]++;
    if (recordOutcome(resource, intent, outcome)) return;
    const { name, unanswered } = resource;
    const values = [...possibleValues(resource)].map(String).join(' or ');
    const call = `${intent.what} ${name} returned ${reply?.status} ${reply?.text.slice(0, 300)}`;
    this.findings.push(`${call}, while it was ${values}; ${unanswered.length} calls without a response`);
  }

  /** Returns the request for a call. Undefined if the call needs the id of a resource, and no list contains this id. */
  async #requestFor(
    client: Client,
    resource: TrackedResource,
    { what, value = '' }: Intent,
  ): Promise<ResourceRequest | undefined> {
    const { kind, name } = resource;
    const target = this.#target;
    if (what === 'create') return kind.create(target, name, value);
    let key: string | undefined = name;
    if (kind.isAddressedById === true) {
      const shown = (await kind.list(client, target)).find((one) => one.name === name);
      if (shown?.eventName ?? shown?.id) resource.eventNames.add(shown?.eventName ?? shown?.id ?? '');
      key = shown?.id;
    }
    if (key === undefined) return undefined;
    return what === 'delete' ? kind.delete(target, key) : kind.change?.(target, key, value, name);
  }

  /** Sends a request. Returns undefined if the connection broke before the response. */
  async #send(
    client: Client,
    find: () => Promise<ResourceRequest | undefined>,
  ): Promise<Reply | undefined | 'nothing was sent'> {
    const request = await find().catch(() => undefined);
    if (request === undefined) return 'nothing was sent';
    try {
      const reply = await client.send(request.method, request.path, request.body);
      this.#checkError(request, reply);
      return reply;
    } catch (error) {
      if (String(error).includes('ECONNREFUSED')) return 'nothing was sent';
      if (!isBroken(error)) this.findings.push(`${request.method} ${request.path}: ${error}`);
      return undefined;
    }
  }

  /** Picks an existing resource, or a name for a new one; undefined if all resources are busy. */
  #pickResource(kind: ResourceKind, chance: Dice): TrackedResource | undefined {
    const own = this.resources.filter((resource) => resource.kind === kind);
    const isUnsure = (resource: TrackedResource) =>
      possibleValues(resource).size > 1 && possibleValues(resource).has(undefined);
    const free = own.filter(
      (resource) =>
        !resource.busy &&
        !hasManyLateCalls(resource) &&
        !(kind.isAddressedById === true && isUnsure(resource)),
    );
    const existing = own.filter(
      (resource) => possibleValues(resource).size > 1 || !possibleValues(resource).has(undefined),
    );
    const isFull = existing.length >= (kind.limit ?? DEFAULT_LIMIT);
    if (free.length > 0 && (isFull || chance.below(2) === 0)) return free[chance.below(free.length)];
    if (isFull) return undefined;
    const number = this.#numbers.get(kind) ?? 0;
    this.#numbers.set(kind, number + 1);
    const resource = newResource(kind, `${kind.name}-${number}`);
    this.resources.push(resource);
    return resource;
  }

  /** Records every 5xx response as a finding, except a 503 with the code `SERVICE_UNAVAILABLE`. */
  #checkError({ method, path }: ResourceRequest, reply: Reply): void {
    if (reply.status < SERVER_ERROR) return;
    if (reply.status !== 503 || codeOf(reply) !== 'SERVICE_UNAVAILABLE')
      this.findings.push(`${method} ${path}: ${reply.status} ${reply.text}`);
  }
}

/** How many resources of a kind may exist. */
const DEFAULT_LIMIT = 40;
const ACKNOWLEDGED = 300;
const NOT_FOUND = 404;
const BAD_REQUEST = 400;
const SERVER_ERROR = 500;

const codeOf = (reply: Reply) => reply.headers.get('x-error-code');

/** Returns the outcome of a call. After a broken connection or a 5xx, it is unknown whether the call was applied. */
function outcomeOf(kind: ResourceKind, { what }: Intent, reply: Reply | undefined): Outcome {
  if (reply === undefined || reply.status >= SERVER_ERROR) return 'unknown';
  if (reply.status < ACKNOWLEDGED) return 'done';
  if (reply.status < BAD_REQUEST) throw new Error(`unexpected status ${reply.status}`);
  // Requests may be rejected for many reasons while asynchronous work is in progress.
  if (kind.isAsynchronous === true) return 'rejected';
  if (reply.status === NOT_FOUND && what !== 'create') return 'absent';
  return kind.duplicateCode !== undefined && codeOf(reply) === kind.duplicateCode ? 'duplicate' : 'rejected';
}

/** The pause before the next call to an instance that rejects connections. */
const RETRY_MS = 20;

/** Whether an error means that the service has ended or has closed the connection. */
export function isBroken(error: unknown): boolean {
  return /ECONNRESET|ECONNREFUSED|EPIPE|socket hang up|aborted|disconnected before secure/.test(
    String(error),
  );
}
