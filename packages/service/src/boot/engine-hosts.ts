import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedEngine, RemoteEngine } from '@portolan/engine/management';
import { attachEngine, clustersDirectory } from '@portolan/engine/management';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import { repeat } from '@portolan/foundation/repeat';
import { announceHost, type KnownHost, knownHosts } from '../resources/engine-hosts/index.ts';
import type { EngineHosts, Services } from '../resources/services.ts';
import { refuseForeignDatabase } from '../store/index.ts';
import { NotYet } from '../tasks/index.ts';

export interface OpenEngineHosts extends EngineHosts {
  /** Announces this instance's host, and follows those of other instances. */
  follow(): Promise<void>;
  close(): Promise<void>;
}

type Parts = Pick<Services, 'store' | 'secrets' | 'machine' | 'random' | 'log'>;

/** Delay before a task for an unreachable host is retried. */
const AWAY_MS = 500;
/** Interval of health checks of connected hosts, and their time-out. */
const ASK_MS = 2_000;
const SILENT_MS = 10_000;
/** Polling interval for hosts of other instances. */
const FOLLOW_MS = 1000;

/**
 * The engine hosts that share this store. Each instance starts one; with a shared database it finds those of
 * other instances by their announcements, so that a cluster outlives the instance that created it.
 */
export async function openEngineHosts(
  dataDirectory: string,
  local: EmbeddedEngine,
  parts: Parts,
): Promise<OpenEngineHosts> {
  const { store, secrets, machine, random, log } = parts;
  const id = await hostId(dataDirectory, random.bytes(12).toString('hex'));
  const known = await store.read((tx) => knownHosts(tx, secrets));
  if (!known.some((host) => host.id === id)) refuseForeignDatabase(clustersDirectory(dataDirectory));
  const others = new Map<string, { at: KnownHost; engine: RemoteEngine }>();
  let announced = '';
  let silent: readonly string[] = [];

  async function announce(): Promise<void> {
    const endpoint = local.endpoint();
    if (!endpoint || JSON.stringify(endpoint) === announced) return;
    await store.write((tx) => announceHost(tx, secrets, { id, ...endpoint }, machine.now()));
    announced = JSON.stringify(endpoint);
  }

  async function look(): Promise<void> {
    const hosts = await store.read((tx) => knownHosts(tx, secrets));
    for (const at of hosts.filter((host) => host.id !== id)) {
      const known = others.get(at.id);
      if (known && JSON.stringify(known.at) === JSON.stringify(at)) continue;
      known?.engine.close();
      others.set(at.id, { at, engine: attachEngine(at, { random, clock: machine }) });
    }
    await Promise.all([...others.values()].map(({ engine }) => engine.connect().catch(() => {})));
  }

  async function follow(): Promise<void> {
    await announce();
    if (store.capabilities.shared) await look();
  }
  const following = repeat({
    machine,
    run: follow,
    first: Number.POSITIVE_INFINITY,
    interval: FOLLOW_MS,
    onError: (error) => log.warn({ reason: error.message }, 'engine hosts could not be followed'),
  });

  const connected = () => [...others].filter(([, { engine }]) => engine.connected).map(([name]) => name);

  async function listen(): Promise<void> {
    const engines = [
      [id, local] as const,
      ...[...others].map(([name, { engine }]) => [name, engine] as const),
    ];
    const answers = await Promise.all(
      engines.map(async ([name, engine]) => [name, await engine.answers(SILENT_MS)] as const),
    );
    const now = answers.filter(([, answered]) => !answered).map(([name]) => name);
    for (const host of now) if (!silent.includes(host)) log.warn({ host }, 'an engine host does not answer');
    silent = now;
  }
  const listening = repeat({
    machine,
    run: listen,
    interval: ASK_MS,
    onError: (error) => log.debug({ reason: error.message }, 'engine hosts could not be asked'),
  });

  return {
    local: id,
    at(hostName) {
      if (hostName === id) return local;
      const other = others.get(hostName)?.engine;
      if (!other?.connected)
        throw new NotYet(AWAY_MS, `the engine host ${hostName} cannot be reached from here`);
      return other;
    },
    reachable: () => [id, ...connected()].filter((name) => !silent.includes(name)),
    silent: () => silent,
    async setClock(setting) {
      const reached = [
        local,
        ...[...others.values()].map(({ engine }) => engine).filter((one) => one.connected),
      ];
      await Promise.all(reached.map((engine) => engine.setClock(setting)));
    },
    async follow() {
      await follow();
      if (store.capabilities.shared) following.wake(FOLLOW_MS);
    },
    async close() {
      await Promise.all([following.stop(), listening.stop()]);
      for (const { engine } of others.values()) engine.close();
    },
  };
}

/** The id of this host, stored in its data directory. */
async function hostId(dataDirectory: string, fresh: string): Promise<string> {
  const file = join(dataDirectory, 'engine-host-id');
  if (!existsSync(file)) await writeAtomically(file, fresh);
  return (await readFile(file, 'utf8')).trim();
}
