import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '@portolan/engine/interface/calls';
import type { EmbeddedEngine, RemoteEngine } from '@portolan/engine/management';
import { clustersDirectory } from '@portolan/engine/management';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { repeat } from '@portolan/foundation/repeat';
import type { AdoptedEngine } from '../../adopted/index.ts';
import type { KubernetesEngine } from '../../kubernetes/index.ts';
import {
  ADOPTED_HOST,
  announceHost,
  KUBERNETES_HOST,
  knownHosts,
} from '../../resources/engine-hosts/index.ts';
import type { EngineHosts, Services } from '../../resources/services.ts';
import { refuseForeignDatabase } from '../../store/index.ts';
import { NotYet } from '../../tasks/index.ts';
import { watchHealth } from './host-health.ts';
import { KeptHosts } from './kept-hosts.ts';
import type { NewEngines } from './new-engines.ts';
import { RemoteHosts } from './remote-hosts.ts';

export interface OpenEngineHosts extends EngineHosts {
  /** Announces the host of this instance, and discovers the hosts of other instances. */
  follow(): Promise<void>;
  close(): Promise<void>;
}

type Parts = Pick<Services, 'store' | 'secrets' | 'machine' | 'random' | 'log'>;

/** The engines of this instance. */
interface Engines {
  readonly local: EmbeddedEngine;
  readonly adopted: AdoptedEngine;
  /** The engine of clusters on Kubernetes. Undefined if this instance has no access to Kubernetes. */
  readonly kubernetes: KubernetesEngine | undefined;
  /** The engines of new clusters. */
  readonly forNew: NewEngines;
}

/** Delay before a task for an unreachable host is retried. */
const AWAY_MS = 500;
/** Polling interval for hosts of other instances. */
const FOLLOW_MS = 1000;

/**
 * Opens the engine hosts of the instances that share this store. Each instance starts one host and announces it. With
 * a shared database, each instance also discovers the hosts of the other instances, so that a cluster outlives the
 * instance that created it.
 */
export async function openEngineHosts(
  dataDirectory: string,
  engines: Engines,
  parts: Parts,
): Promise<OpenEngineHosts> {
  const { local, adopted, kubernetes } = engines;
  const { store, secrets, machine, random } = parts;
  const id = await hostId(dataDirectory, random.bytes(12).toString('hex'));
  const known = await store.read((tx) => knownHosts(tx, secrets));
  if (!known.some((host) => host.id === id)) refuseForeignDatabase(clustersDirectory(dataDirectory));
  const others = new RemoteHosts({ random, clock: machine });
  const health = watchHealth(
    () => new Map<string, EmbeddedEngine | RemoteEngine>([[id, local], ...others.all()]),
    parts,
  );
  const announce = announcer(id, local, parts);
  const kept = new KeptHosts(id, parts);
  const own = ownEngines(id, engines);

  async function follow(): Promise<void> {
    await announce();
    if (!store.capabilities.shared) return;
    const hosts = await store.read((tx) => knownHosts(tx, secrets));
    await kept.renew([...own.keys(), ...others.connected().keys()]);
    await others.connect(hosts.filter((host) => host.id !== id));
  }
  const following = repeatFollowing(follow, parts);

  return {
    local: id,
    forNew: placeOfNew(id, engines),
    resources: kubernetes,
    backupsAt: (host) => (host === KUBERNETES_HOST ? kubernetes?.backups : undefined),
    at: (host) => own.get(host) ?? others.get(host) ?? unreachable(host),
    reachable: () => {
      const silent = health.silent();
      return [...own.keys(), ...others.connected().keys()].filter((host) => !silent.includes(host));
    },
    keeps: (host) => kept.has(host),
    silent: () => health.silent(),
    look: adopted.look,
    refresh: adopted.refresh,
    dropDatabases: adopted.dropDatabases,
    revokeDrops: adopted.revokeDrops,
    takenIn: adopted.takenIn,
    replayed: adopted.replayed,
    async setClock(setting) {
      await Promise.all([local, ...others.connected().values()].map((engine) => engine.setClock(setting)));
    },
    async follow() {
      await follow();
      if (store.capabilities.shared) following.wake(FOLLOW_MS);
    },
    async close() {
      await Promise.all([following.stop().then(() => kept.release()), health.stop(), adopted.close()]);
      others.close();
    },
  };
}

/** Calls `follow` at intervals. The intervals begin when `wake` is called. */
function repeatFollowing(follow: () => Promise<void>, { machine, log }: Parts) {
  return repeat({
    machine,
    run: follow,
    first: Number.POSITIVE_INFINITY,
    interval: FOLLOW_MS,
    onError: (error) => log.warn({ reason: error.message }, 'the list of engine hosts could not be updated'),
  });
}

function unreachable(host: string): never {
  throw new NotYet(AWAY_MS, `the engine host ${host} cannot be reached from here`);
}

/** Returns the engines of this instance by their hosts. */
function ownEngines(id: string, { local, adopted, kubernetes }: Engines): ReadonlyMap<string, Engine> {
  return new Map<string, Engine>([
    [id, local],
    [ADOPTED_HOST, adopted],
    ...(kubernetes === undefined ? [] : [[KUBERNETES_HOST, kubernetes] as const]),
  ]);
}

function placeOfNew(id: string, { forNew, kubernetes }: Engines): EngineHosts['forNew'] {
  return (...region) => {
    const engine = forNew.engineIn(...region);
    if (engine !== 'kubernetes') return { host: id };
    const { engineFacts = [] } = kubernetes ?? {};
    return { host: KUBERNETES_HOST, engine, ...(engineFacts.length > 0 && { engineFacts }) };
  };
}

/**
 * Returns a function that announces this instance's host to other instances. It does nothing if the address has not
 * changed since the last call.
 */
function announcer(id: string, local: EmbeddedEngine, { store, secrets, machine }: Parts) {
  let announced = '';
  return async (): Promise<void> => {
    const endpoint = local.endpoint();
    if (!endpoint || JSON.stringify(endpoint) === announced) return;
    await store.write((tx) => announceHost(tx, secrets, { id, ...endpoint }, machine.now()));
    announced = JSON.stringify(endpoint);
  };
}

/** Returns the id of this host, stored in its data directory. */
async function hostId(dataDirectory: string, fresh: string): Promise<string> {
  const file = join(dataDirectory, 'engine-host-id');
  if (!existsSync(file)) await writeAtomically(file, fresh);
  return (await readFile(file, 'utf8')).trim();
}
