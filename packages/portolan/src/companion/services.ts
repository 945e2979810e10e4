import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { removeFolder } from '@portolan/engine/companion/folder';
import { hostsHere, portsOfChance } from '@portolan/engine/companion/hosts';
import type { Service } from '@portolan/service/service';
import { type Config, readConfig } from '@portolan/service/settings';
import { openService } from '@portolan/service/start-up';
import type { ClusterRequest, ServiceCalls, ServiceFacts, ServiceRequest } from '../library/protocol.ts';
import { SeedRuns } from '../seed/runs.ts';
import { type Access, connectionStringOf, newAccess, newCluster } from './clusters.ts';

interface Running {
  readonly folder: string;
  readonly service: Service;
  /** The database user of each project, which was created together with the project's first cluster. */
  readonly access: Map<string, Access>;
  /**
   * Starts the threads of the engine host. Called with the first cluster, since a service without clusters needs no
   * threads.
   */
  prepare(): void;
}

/** Runs services in this process. Each has its own engine host, in the same process. */
export class Services implements ServiceCalls {
  readonly #folder: string;
  readonly #running = new Map<string, Running>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  startService = async (request: ServiceRequest): Promise<ServiceFacts> => {
    const folder = await mkdtemp(join(this.#folder, 'service-'));
    const id = basename(folder);
    const { promise: wanted, resolve: prepare } = Promise.withResolvers<void>();
    const seeds = new SeedRuns();
    const service = await openService(configOf(request, folder), { startHost: hostsHere(wanted), seeds });
    this.#running.set(id, { service, folder, access: new Map(), prepare });
    if (request.seed !== undefined) await this.#seed(id, { service, seeds }, request.seed);
    seeds.serve(service);
    return { id, ...service.bootstrap };
  };

  resetService = async ({ id }: { readonly id: string }): Promise<void> => {
    const { service, access } = this.#known(id);
    await service.states.reset(0);
    access.clear();
  };

  closeService = async ({ id }: { readonly id: string }): Promise<void> => {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    await running.service.close();
    await removeFolder(running.folder);
  };

  connectionString = async ({ id, groupId, name }: ClusterRequest): Promise<string> => {
    const { service, access } = this.#known(id);
    const project = groupId ?? service.bootstrap.groupId;
    return connectionStringOf(service.call, { project, name, access: access.get(project) });
  };

  createCluster: ServiceCalls['createCluster'] = async ({ id, groupId, name, body }) => {
    const { service, access, prepare } = this.#known(id);
    prepare();
    const project = groupId ?? service.bootstrap.groupId;
    const known = access.get(project) ?? (await newAccess(service.call, project));
    access.set(project, known);
    await newCluster(service.call, project, { ...body, name });
    return connectionStringOf(service.call, { project, name, access: known });
  };

  async close(): Promise<void> {
    await Promise.allSettled([...this.#running.keys()].map((id) => this.closeService({ id })));
  }

  async #seed(
    id: string,
    { service, seeds }: { readonly service: Service; readonly seeds: SeedRuns },
    given: string | object,
  ): Promise<void> {
    const { checkSeed, readSeed } = await import('../seed/file.ts');
    try {
      const isFile = typeof given === 'string';
      await seeds.apply(service, isFile ? readSeed(given) : checkSeed(given), isFile ? given : undefined);
      await service.states.keepFirst();
    } catch (error) {
      await this.closeService({ id });
      throw error;
    }
  }

  #known(id: string): Running {
    const running = this.#running.get(id);
    if (running === undefined) throw new Error('the service is closed');
    return running;
  }
}

/** Returns the settings of a service. Settings that the library needs override those of the caller. */
function configOf({ settings, port, tls }: ServiceRequest, dataDir: string): Config {
  const { first, from, to } = portsOfChance();
  const all = {
    'plain-http': !tls,
    'log-level': 'error',
    'engine-ports': `${from}-${to},${first}`,
    ...settings,
    listen: `127.0.0.1:${port}`,
    'data-dir': dataDir,
  };
  const flags = Object.entries(all).flatMap(([name, value]) =>
    typeof value === 'boolean' ? (value ? [`--${name}`] : []) : [`--${name}`, String(value)],
  );
  return readConfig(flags, {});
}
