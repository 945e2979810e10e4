import type { CompanionCalls } from '../library/protocol.ts';
import type { MachineClock } from '../runtime/clock.ts';
import type { Databases } from './databases.ts';
import type { Services } from './services.ts';

type AnyCall = (argument: never) => Promise<unknown>;

/** Whose call it is. */
const OF_DATABASES: Readonly<Record<keyof CompanionCalls, boolean>> = {
  startDatabase: true,
  pauseDatabase: true,
  removeDatabase: true,
  stopMember: true,
  startMember: true,
  startService: false,
  resetService: false,
  closeService: false,
  connectionString: false,
  createCluster: false,
};

/** Databases and services, each loaded when it is first wanted: most programs want the one or the other. */
export class Parts {
  readonly #folder: string;
  readonly #clock: MachineClock;
  #databases: Promise<Databases> | undefined;
  #services: Promise<Services> | undefined;

  constructor(folder: string, clock: MachineClock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  prepareDatabases(): void {
    this.#openDatabases().then(
      (databases) => databases.prepare(),
      () => {},
    );
  }

  prepareServices(): void {
    this.#openServices().catch(() => {});
  }

  /** Nothing where there is no such call. */
  async call(name: string): Promise<AnyCall | undefined> {
    if (!isCall(name)) return undefined;
    const calls = OF_DATABASES[name] ? await this.#openDatabases() : await this.#openServices();
    return (calls as unknown as CompanionCalls)[name] as AnyCall;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#databases, this.#services].map(async (part) => (await part)?.close()));
  }

  #openDatabases(): Promise<Databases> {
    this.#databases ??= import('./databases.ts').then(
      ({ Databases }) => new Databases(this.#folder, this.#clock),
    );
    return this.#databases;
  }

  #openServices(): Promise<Services> {
    this.#services ??= import('./services.ts').then(({ Services }) => new Services(this.#folder));
    return this.#services;
  }
}

function isCall(name: string): name is keyof CompanionCalls {
  return Object.hasOwn(OF_DATABASES, name);
}
