import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeploymentSpec, FoundServers } from '@portolan/engine/interface/engine';
import { createEmbeddedEngine, type EmbeddedEngine, scramCredentials } from '@portolan/engine/management';
import type { Log } from '@portolan/foundation/log';
import { LOWERCASE_AND_DIGITS, type Random, randomText } from '@portolan/foundation/random';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { errorMessage } from '@portolan/foundation/thrown';

/**
 * Ports of staging deployments. They are outside the default port range of clusters, because a paused cluster keeps
 * ports of that range.
 */
const PORTS = { from: 30_000, to: 31_999 };
/**
 * Size of the oplog in MB. It is small to save disk space, because the oplog contains every copied document a second
 * time.
 */
const OPLOG_MB = 32;
const USER = 'staging';
/** Options for removing a folder. They retry, because an engine host that was just killed may still be writing. */
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 } as const;

/** A temporary deployment of the embedded engine, with a user who has all privileges. Disposing removes it. */
export interface Staged extends AsyncDisposable {
  readonly engine: EmbeddedEngine;
  readonly id: string;
  readonly uri: string;
  /**
   * Restores a snapshot to the deployment, which verifies the snapshot. Afterwards, the deployment does not delete
   * expired documents.
   */
  restore(...given: RestoreArguments): ReturnType<EmbeddedEngine['restore']>;
}

/** The arguments of `restore` of an engine, without the id of the deployment. */
export type RestoreArguments =
  Parameters<EmbeddedEngine['restore']> extends [string, ...infer Rest] ? Rest : never;

/** The properties that the copy of a deployment takes over from the deployment. */
export type Copied = Pick<FoundServers, 'topology' | 'version' | 'replicaSets'>;

interface Options {
  /** A folder that contains only staging deployments. */
  readonly folder: string;
  /** Returns the full version for the copy of a deployment that has the given version. */
  readonly versionOfCopy: (version: string) => string;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Staging deployments contain copies of adopted deployments. They run on a separate engine host, which starts with
 * the first staging deployment and stops after the last one. The host also ends if the process of the service is
 * killed. The next start of the service then removes the files that the host has left.
 */
export class Staging {
  readonly #options: Options;
  /** Runs starts and stops of the host one after another. */
  readonly #turns = new SerialQueue();
  #running: { readonly engine: EmbeddedEngine; readonly folder: string } | undefined;
  #uses = 0;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
    void this.#turns.run(() => this.#remove(options.folder));
  }

  /** The folder with the data of all staging deployments. */
  get folder(): string {
    return this.#options.folder;
  }

  /** Creates an empty deployment with the topology of `found`, and with its version or the nearest one. */
  async open(found: Copied): Promise<Staged> {
    const engine = await this.#turns.run(() => this.#begin());
    const id = this.#options.random.bytes(12).toString('hex');
    const dispose = async () => {
      await engine.remove(id).catch(() => {});
      await this.#turns.run(() => this.#end());
    };
    try {
      const password = randomText(this.#options.random, LOWERCASE_AND_DIGITS, 24);
      const version = this.#options.versionOfCopy(found.version);
      const spec = specOf(id, { ...found, version }, await userOf(password, this.#options.random));
      const { members, state, message = '' } = await engine.provision(spec);
      if (state !== 'running') throw new Error(`the staging deployment does not run: ${message}`);
      const reached = members.filter(
        (member) => found.topology !== 'SHARDED' || member.id.startsWith('router'),
      );
      const hosts = reached.map(({ host, port }) => `${host}:${port}`).join(',');
      const replicaSet = found.topology === 'SHARDED' ? '' : `&replicaSet=${spec.replicaSetName}`;
      const uri = `mongodb://${USER}:${password}@${hosts}/?authSource=admin${replicaSet}`;
      const restore: Staged['restore'] = async (...given) => {
        const end = await engine.restore(id, ...given);
        await engine.run(id, { setParameter: 1, ttlMonitorEnabled: false, $db: 'admin' });
        return end;
      };
      return { engine, id, uri, restore, [Symbol.asyncDispose]: dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }

  /** Stops the host, which ends all staging deployments. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turns.run(() => this.#stop());
  }

  async #begin(): Promise<EmbeddedEngine> {
    if (this.#isClosed) throw new Error('the service is stopping');
    this.#running ??= await this.#start();
    this.#uses++;
    return this.#running.engine;
  }

  async #start() {
    const { folder: root, random, log } = this.#options;
    const folder = join(root, random.bytes(6).toString('hex'));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const first = PORTS.from + random.integer(PORTS.to - PORTS.from);
    const engine = createEmbeddedEngine({
      ...{ dataDir: folder, ports: { ...PORTS, first }, endsWithProcess: true, random },
      log: log.child({ part: 'staging' }),
    });
    return { engine, folder };
  }

  async #end(): Promise<void> {
    this.#uses--;
    if (this.#uses === 0) await this.#stop();
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    await running.engine.stop().catch((error) => this.#failed(error));
    await this.#remove(running.folder);
  }

  async #remove(folder: string): Promise<void> {
    await rm(folder, REMOVAL).catch((error) => this.#failed(error));
  }

  #failed(error: unknown): void {
    this.#options.log.warn({ reason: errorMessage(error) }, 'a temporary deployment could not be removed');
  }
}

async function userOf(password: string, random: Random): Promise<DeploymentSpec['access']['users'][number]> {
  return {
    ...{ username: USER, database: 'admin', roles: [{ role: 'root', database: 'admin' }] },
    scram: await scramCredentials(USER, password, random),
  };
}

/** Returns one member for each replica set of the deployment, and a router if it is sharded. */
function specOf(
  id: string,
  { topology, version, replicaSets }: Copied,
  user: DeploymentSpec['access']['users'][number],
): DeploymentSpec {
  const isSharded = topology === 'SHARDED';
  const names = isSharded ? replicaSets : [replicaSets[0] ?? USER];
  const place = { provider: 'AWS', region: 'US_EAST_1' };
  const members = names.map((_, shard) => ({
    ...{ id: `shard-${String(shard).padStart(2, '0')}-00`, shard, priority: 7, ...place },
    kind: 'electable' as const,
  }));
  const router = { id: 'router-00-00', shard: 0, kind: 'router' as const, priority: 0, ...place };
  return {
    ...{ id, clusterName: USER, replicaSetName: names[0] ?? USER, version },
    ...(isSharded ? { shardNames: names } : {}),
    majorVersion: version.split('.').slice(0, 2).join('.'),
    members: isSharded ? [...members, router] : members,
    arguments: { oplogSizeMB: OPLOG_MB },
    unsynced: true,
    access: { revision: 1, users: [user], addresses: ['127.0.0.1/32', '::1/128'] },
  };
}
