import type { RequestListener } from 'node:http';
import type { MachineClock } from '@portolan/foundation/clock';
import type { FastifyInstance } from 'fastify';
import { Front } from '../api/index.ts';
import type { NewOrganization } from '../resources/organizations/index.ts';
import type { States } from '../resources/services.ts';
import type { Reopen } from '../states/states.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { OwnCall } from './own-calls.ts';

/** Longer than nearly all requests take; what is not answered by then is under way for as long as a caller wants. */
const ANSWERED_WITHIN_MS = 10_000;

/** Everything of a service that is open, but for its port and the lock of its data directory. */
export interface Generation {
  readonly bootstrap: Bootstrap;
  /** Whether its data were made when it was opened. */
  readonly isNew: boolean;
  readonly states: States;
  readonly call: OwnCall;
  /** An organization beside the first one, made where there is none of this name, and who calls in it. */
  organization(organization: NewOrganization): Promise<{ readonly orgId: string; readonly call: OwnCall }>;
  run(
    clusterId: string,
    command: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>>;
  readonly listener: RequestListener;
  close(): Promise<void>;
}

/** What one generation is told of its place among the others. */
export interface Place {
  readonly front: Front;
  /** The edge whose server listens; nothing before the first one does. */
  readonly listening: FastifyInstance | undefined;
  listens(api: FastifyInstance): void;
  /** Whether no other one follows. */
  isLast(): boolean;
  /** Resolves when requests are answered: all of them, and the port closed, or those that came before the change. */
  endRequests(api: FastifyInstance): Promise<void>;
  readonly reopen: Reopen;
  alone<T>(work: () => Promise<T>): Promise<T> | undefined;
}

/** A service over time: its database may be exchanged for another one while its port stays open. */
export class Generations implements Place {
  readonly front = new Front();
  readonly #machine: MachineClock;
  readonly #open: (place: Place) => Promise<Generation>;
  readonly #lost: (error: unknown) => void;
  #current: Generation | undefined;
  #listening: FastifyInstance | undefined;
  #isLast = true;
  #callers = 0;
  #alone: Promise<unknown> | undefined;

  /** `lost` is told why nothing is open any more, neither what was to be nor what was before: the process has to end. */
  constructor(
    machine: MachineClock,
    open: (place: Place) => Promise<Generation>,
    lost: (error: unknown) => void,
  ) {
    this.#machine = machine;
    this.#open = open;
    this.#lost = lost;
  }

  get current(): Generation {
    if (this.#current === undefined) throw new Error('the service is not open');
    return this.#current;
  }

  get listening(): FastifyInstance | undefined {
    return this.#listening;
  }

  listens(api: FastifyInstance): void {
    this.#listening = api;
  }

  isLast(): boolean {
    return this.#isLast;
  }

  async begin(): Promise<void> {
    this.#current = await this.#open(this);
  }

  async end(): Promise<void> {
    await this.#alone?.catch(() => {});
    await this.#current?.close();
  }

  async endRequests(api: FastifyInstance): Promise<void> {
    if (this.#isLast) await this.#listening?.close();
    else await this.front.quiet(this.#machine, this.#callers, ANSWERED_WITHIN_MS);
    // That of the first one is part of the port.
    if (api !== this.#listening) await api.close();
  }

  alone<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#alone !== undefined) return undefined;
    const working = work().finally(() => {
      this.#alone = undefined;
    });
    this.#alone = working;
    return working;
  }

  readonly reopen: Reopen = async (change, callers) => {
    this.front.hold();
    this.#isLast = false;
    this.#callers = callers;
    try {
      await this.current.close();
      await this.#openChanged(change);
    } catch (error) {
      if (this.#current === undefined) this.#lost(error);
      throw error;
    } finally {
      this.#isLast = true;
      if (this.#current !== undefined) this.front.serveBy(this.#current.listener);
    }
  };

  async #openChanged(change: Parameters<Reopen>[0]): Promise<void> {
    this.#current = undefined;
    try {
      await change.apply();
      this.#current = await this.#open(this);
    } catch (error) {
      await change.undo();
      this.#current = await this.#open(this);
      throw error;
    }
  }
}
