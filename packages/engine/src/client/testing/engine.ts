import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { scramCredentials } from '../../access/scram.ts';
import { clustersDirectory } from '../../control/host-file.ts';
import type { DeploymentSpec } from '../../interface/engine.ts';
import { deploymentSpec } from '../../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from '../engine.ts';
import type { StartHost } from '../supervisor.ts';
import { startHost } from './host.ts';

/** An engine in a temporary directory, with a cluster of three members and one user with all privileges. */
export interface StartedEngine {
  readonly engine: EmbeddedEngine;
  readonly clusterId: string;
  /** The specification of the cluster. */
  readonly spec: DeploymentSpec;
  /** The data directory. */
  readonly dataDir: string;
  /** The folder of the cluster's files. */
  readonly directory: string;
  /** Returns a client of the whole replica set. It is closed together with the engine. */
  connect(options?: MongoClientOptions): MongoClient;
  /** Kills the host. */
  kill(): Promise<void>;
  /** Closes the clients, stops the engine and deletes the directory. */
  stop(): Promise<void>;
}

/** Server selection timeout of drivers. It is longer than a host needs to start on a busy machine. */
const SELECTION_MS = 180_000;

/** Starts an engine in a temporary directory. `name` is part of the directory name. */
export async function startEngine(
  name: string,
  { startHost: start = startHost }: { readonly startHost?: StartHost } = {},
): Promise<StartedEngine> {
  const random = systemRandom();
  const dataDir = mkdtempSync(join(tmpdir(), `portolan-${name}-`));
  const ports = await enginePorts();
  const engine = createEmbeddedEngine({
    dataDir,
    startHost: start,
    log: silentLog(),
    ports,
  });
  const scram = await scramCredentials('ada', 'pencil', random);
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const users = [{ username: 'ada', database: 'admin', roles, scram }];
  const clusterId = '1'.padStart(24, '0');
  const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
  const spec = deploymentSpec({ id: clusterId, access });
  const open: MongoClient[] = [];
  const stop = async () => {
    await Promise.all(open.map((client) => client.close()));
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  };
  const { members } = await engine.provision(spec).catch(async (error) => {
    await stop();
    throw error;
  });
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  const uri = `mongodb://ada:pencil@${hosts}/?replicaSet=${spec.replicaSetName}`;
  return {
    engine,
    clusterId,
    spec,
    dataDir,
    directory: join(clustersDirectory(dataDir), clusterId),
    connect(options) {
      const client = new MongoClient(uri, { serverSelectionTimeoutMS: SELECTION_MS, ...options });
      open.push(client);
      return client;
    },
    async kill() {
      const { pid } = await engine.status();
      process.kill(pid, 'SIGKILL');
    },
    stop,
  };
}
