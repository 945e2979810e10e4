import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { MachineClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import type { Database, DatabaseCalls, DatabaseRequest, MemberRequest } from '../library/protocol.ts';
import {
  clustersDirectory,
  type Deployment,
  type DeploymentSpec,
  type EmbeddedEngine,
} from '../management.ts';
import { CallFailure } from './failure.ts';
import { openEngineHere } from './hosts.ts';

interface Host {
  readonly engine: EmbeddedEngine;
  readonly dataDir: string;
}

interface Running extends Host {
  /** The id of the deployment in its host. */
  readonly deployment: string;
  /** True if the caller has chosen the folder of the data. The host then runs no other database. */
  readonly kept: boolean;
}

const LOOPBACK = '127.0.0.1';
/**
 * The id of the deployment in a folder that a caller has chosen. Such a folder contains only one deployment.
 * When the folder is opened again, the deployment is found by this id.
 */
const KEPT = 'database';
const TAKEN = /^port \d+ of member .+ is taken by another program$/;

/**
 * Databases that run without the service. Databases with temporary data share one host per listen address.
 */
export class Databases implements DatabaseCalls {
  readonly #folder: string;
  readonly #clock: MachineClock;
  readonly #shared = new Map<string, Promise<Host>>();
  readonly #running = new Map<string, Running>();
  readonly #random = systemRandom();

  /** `folder` is the folder for temporary data. */
  constructor(folder: string, clock: MachineClock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Starts the shared host in advance, before the first database needs it. */
  prepare(): void {
    this.#sharedHost(LOOPBACK).catch(() => {});
  }

  startDatabase = async (request: DatabaseRequest): Promise<Database> => {
    // An id is unique even across restarts of the companion, so that an old id never refers to a new
    // database.
    const id = request.id ?? `database-${this.#random.uuid()}`;
    const running = this.#running.get(id) ?? (await this.#place(id, request));
    this.#running.set(id, running);
    try {
      return databaseOf(id, running, runs(await this.#within(request.timeout, start(running, request))));
    } catch (error) {
      // Keep a database that existed before, because its data must not be lost.
      if (request.id === undefined) await this.removeDatabase({ id });
      throw error;
    }
  };

  pauseDatabase = async ({ id }: { readonly id: string }): Promise<void> => {
    const running = this.#running.get(id);
    await running?.engine.pause(running.deployment);
    // Close the host, so that another process can use the folder.
    if (running?.kept) await this.removeDatabase({ id });
  };

  removeDatabase = async ({ id }: { readonly id: string }): Promise<void> => {
    const running = this.#running.get(id);
    this.#running.delete(id);
    if (running?.kept) await running.engine.stop();
    else await running?.engine.remove(running.deployment);
  };

  stopMember = async ({
    id,
    member,
  }: {
    readonly id: string;
    readonly member: string;
  }): Promise<Database> => {
    const running = this.#known(id);
    return databaseOf(id, running, await running.engine.stopMember(running.deployment, member));
  };

  startMember = async ({
    id,
    member,
  }: {
    readonly id: string;
    readonly member: string;
  }): Promise<Database> => {
    const running = this.#known(id);
    return databaseOf(id, running, await running.engine.startMember(running.deployment, member));
  };

  /** Closes all databases. Afterwards the data in the chosen folders is complete on disk. */
  async close(): Promise<void> {
    const own = [...this.#running.values()].filter(({ kept }) => kept).map(({ engine }) => engine);
    const shared = await Promise.all(this.#shared.values());
    await Promise.allSettled([...own, ...shared.map(({ engine }) => engine)].map((engine) => engine.stop()));
  }

  #known(id: string): Running {
    const running = this.#running.get(id);
    if (running === undefined) throw new Error(`there is no database ${id}`);
    return running;
  }

  async #place(id: string, { listen = LOOPBACK, folder }: DatabaseRequest): Promise<Running> {
    if (folder === undefined) return { ...(await this.#sharedHost(listen)), deployment: id, kept: false };
    await mkdir(folder, { recursive: true });
    return { ...(await hostIn(folder, listen)), deployment: KEPT, kept: true };
  }

  #sharedHost(listen: string): Promise<Host> {
    const known = this.#shared.get(listen);
    if (known !== undefined) return known;
    const opening = mkdtemp(join(this.#folder, 'databases-')).then((folder) => hostIn(folder, listen));
    this.#shared.set(listen, opening);
    // If the host does not start, remove it, so that a later call tries again.
    opening.catch(() => this.#shared.delete(listen));
    return opening;
  }

  async #within<T>(timeout: number | undefined, work: Promise<T>): Promise<T> {
    if (timeout === undefined) return work;
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      const fail = () =>
        reject(new CallFailure('TIMED_OUT', `the database did not start within ${timeout} ms`));
      cancel = this.#clock.after(timeout, fail);
    });
    return Promise.race([work, late]).finally(cancel);
  }
}

async function hostIn(dataDir: string, listen: string): Promise<Host> {
  return { engine: await openEngineHere(dataDir, listen), dataDir };
}

/** Starts a deployment. An existing deployment keeps its data. Its ports change if the request contains other ports. */
async function start({ engine, deployment }: Running, request: DatabaseRequest): Promise<Deployment> {
  const spec = specOf(deployment, request);
  const known = (await engine.describe(deployment)) !== undefined;
  if (known) {
    await engine.pause(deployment);
    await engine.reconfigure(spec);
  }
  const made = await (known ? engine.resume(deployment) : engine.provision(spec));
  if (made.state === 'running') for (const user of request.users ?? []) await run(engine, deployment, user);
  return made;
}

async function run(engine: EmbeddedEngine, id: string, command: object): Promise<void> {
  const { ok, errmsg } = await engine.run(id, command as Record<string, unknown>);
  if (ok !== 1) throw new Error(String(errmsg));
}

function runs(deployment: Deployment): Deployment {
  const { state, message = 'it is closed' } = deployment;
  if (state === 'running') return deployment;
  if (TAKEN.test(message)) throw new CallFailure('PORT_TAKEN', message);
  throw new Error(`the database does not run: ${message}`);
}

function databaseOf(
  id: string,
  { dataDir, deployment, kept }: Running,
  { members, primaries }: Deployment,
): Database {
  return {
    id,
    folder: kept ? dataDir : join(clustersDirectory(dataDir), deployment),
    members: members.map((member) => ({
      id: member.id,
      port: member.port,
      primary: primaries.includes(member.id),
    })),
  };
}

function specOf(id: string, request: DatabaseRequest): DeploymentSpec {
  const { replicaSet, version, members, listen = LOOPBACK, open } = request;
  const everywhere = ['0.0.0.0/0', '::/0'];
  return {
    id,
    clusterName: replicaSet,
    replicaSetName: replicaSet,
    majorVersion: version.split('.').slice(0, 2).join('.'),
    version,
    members: members.map(memberOf),
    ownUsers: true,
    unsynced: request.folder === undefined,
    ...(request.noTableScan ? { arguments: { noTableScan: true } } : {}),
    access: {
      revision: 1,
      users: [],
      addresses: listen === LOOPBACK ? ['127.0.0.1/32', '::1/128'] : everywhere,
      ...(open ? { open } : {}),
    },
  };
}

function memberOf({ port, priority = 1, hidden }: MemberRequest, index: number) {
  return {
    id: `shard-00-${String(index).padStart(2, '0')}`,
    shard: 0,
    kind: 'electable' as const,
    provider: 'AWS',
    region: 'US_EAST_1',
    priority: hidden ? 0 : priority,
    ...(hidden ? { hidden } : {}),
    ...(port === undefined ? {} : { port }),
  };
}
