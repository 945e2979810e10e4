import type { RequestListener } from 'node:http';
import type { MachineClock } from '@portolan/foundation/clock';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { type Api, RequestGate } from '../api/index.ts';
import type { NewOrganization } from '../resources/organizations/index.ts';
import type { States } from '../resources/services.ts';
import type { Reopen } from '../states/states.ts';
import type { Bootstrap } from './bootstrap.ts';
import type { OwnCall } from './own-calls.ts';

/**
 * How long to wait for the requests in flight. Downloads, for example, can take longer; nearly all other requests
 * take less time.
 */
const ANSWERED_WITHIN_MS = 10_000;

/** An open service, without the port and the lock of its data directory. */
export interface ServiceInstance {
  readonly bootstrap: Bootstrap;
  /** Whether opening the instance has created the data, as at the first start. */
  readonly isNew: boolean;
  readonly states: States;
  readonly call: OwnCall;
  /**
   * Returns the organization with this name, and a function that calls the API in it. Creates the organization if it
   * does not exist.
   */
  organization(organization: NewOrganization): Promise<{ readonly orgId: string; readonly call: OwnCall }>;
  run(clusterId: string, command: PlainObject): Promise<PlainObject>;
  /** Returns a login link for the console, which works once. Returns undefined if the service has no console. */
  consoleLink(): Promise<string | undefined>;
  readonly listener: RequestListener;
  close(): Promise<void>;
}

/** The state that the successive instances of a process share. */
export interface InstanceSlot {
  readonly requestGate: RequestGate;
  /** The HTTP layer whose server listens; undefined until the first server listens. */
  readonly listening: Api | undefined;
  listens(api: Api): void;
  /** Whether the process ends together with this instance. */
  isLast(): boolean;
  /**
   * Resolves when the requests to `api` have ended. If the port is being closed, these are all requests;
   * otherwise, only those that arrived before the switch to another instance.
   */
  endRequests(api: Api): Promise<void>;
  readonly reopen: Reopen;
  alone<T>(work: () => Promise<T>): Promise<T> | undefined;
}

/** The successive instances of a service. Its database can be replaced while the port stays open. */
export class ServiceInstances implements InstanceSlot {
  readonly requestGate = new RequestGate();
  readonly #machine: MachineClock;
  readonly #open: (slot: InstanceSlot) => Promise<ServiceInstance>;
  readonly #lost: (error: unknown) => void;
  #current: ServiceInstance | undefined;
  #listening: Api | undefined;
  #isLast = true;
  #callers = 0;
  #alone: Promise<unknown> | undefined;

  /** `lost` is called if neither the new nor the previous instance can be opened. It must end the process. */
  constructor(
    machine: MachineClock,
    open: (slot: InstanceSlot) => Promise<ServiceInstance>,
    lost: (error: unknown) => void,
  ) {
    this.#machine = machine;
    this.#open = open;
    this.#lost = lost;
  }

  get current(): ServiceInstance {
    if (this.#current === undefined) throw new Error('the service is not open');
    return this.#current;
  }

  get listening(): Api | undefined {
    return this.#listening;
  }

  listens(api: Api): void {
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

  async endRequests(api: Api): Promise<void> {
    if (this.#isLast) await this.#listening?.close();
    else await this.requestGate.drained(this.#machine, this.#callers, ANSWERED_WITHIN_MS);
    // Keep the server of the first instance, since it owns the port.
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
    this.requestGate.close();
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
      if (this.#current !== undefined) this.requestGate.openTo(this.#current.listener);
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
