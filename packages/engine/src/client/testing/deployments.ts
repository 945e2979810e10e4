import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { scramCredentials } from '../../access/scram.ts';
import type { AccessSpec, Deployment, RoleGrant } from '../../interface/engine.ts';
import { deploymentSpec } from '../../testing.ts';
import { createEmbeddedEngine } from '../engine.ts';
import { startHost } from './host.ts';

const anyDatabase = [{ role: 'readWriteAnyDatabase', database: 'admin' }];

/**
 * Starts an engine in a temporary directory. Its deployments have the user `ada`. `name` is part of the directory name.
 */
export async function engineOfDeployments(name: string) {
  const dataDir = mkdtempSync(join(tmpdir(), `portolan-${name}-`));
  const options = { dataDir, startHost, log: silentLog(), ports: await enginePorts() };
  const scram = await scramCredentials('ada', 'pencil', systemRandom());
  const engine = createEmbeddedEngine(options);
  const open: MongoClient[] = [];
  let deployments = 0;

  function access(revision: number, roles: readonly RoleGrant[], addresses = ['127.0.0.1/32']): AccessSpec {
    return { revision, addresses, users: [{ username: 'ada', database: 'admin', roles, scram }] };
  }
  /** Returns a client. It is closed together with the engine. */
  function connect(uri: string, more: MongoClientOptions = {}): MongoClient {
    const client = new MongoClient(uri, { ...LONG_TIMEOUTS, ...more });
    open.push(client);
    return client;
  }
  return {
    engine,
    options,
    access,
    newSpec(more: Parameters<typeof deploymentSpec>[0] = {}) {
      const id = (++deployments).toString(16).padStart(24, '0');
      return deploymentSpec({ id, access: access(1, anyDatabase), ...more });
    },
    connect,
    /** Returns a client that logs in as the user `ada`. It is closed together with the engine. */
    driver({ members }: Deployment, more: MongoClientOptions = {}): MongoClient {
      const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
      return connect(`mongodb://${hosts}/`, {
        replicaSet: 'set-1-shard-0',
        auth: { username: 'ada', password: 'pencil' },
        ...more,
      });
    },
    async stop(): Promise<void> {
      await Promise.all(open.map((client) => client.close()));
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export const orders = (client: MongoClient) =>
  client.db('shop').collection<{ _id: number; n?: number }>('orders');
