import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../packages/engine/src/access/scram.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from '../packages/engine/src/client/engine.ts';
import type { Deployment } from '../packages/engine/src/interface/engine.ts';
import { clustersDirectory } from '../packages/engine/src/management.ts';
import { FILE_NAME } from '../packages/engine/src/storage/file/format.ts';
import { deploymentSpec } from '../packages/engine/src/testing.ts';
import { silentLog } from '../packages/foundation/src/log.ts';
import { systemRandom } from '../packages/foundation/src/random.ts';
import { withFolder } from './support.ts';

/** An engine host without a service. */
export interface BenchEngine {
  readonly engine: EmbeddedEngine;
  /** Creates the cluster with this number. */
  provision(index: number): Promise<Deployment>;
  connect(deployment: Deployment): Promise<MongoClient>;
  /** Returns the database file of a cluster. */
  fileOf(id: string): string;
  /** Returns the CPU time of the host, for all clusters together, in microseconds. */
  processor(): Promise<NodeJS.CpuUsage>;
}

export const benchUser = { username: 'bench', password: 'harbour' };

export function withEngine<T>(work: (bench: BenchEngine) => Promise<T>): Promise<T> {
  return withFolder(async (dataDir) => {
    const scram = await scramCredentials(benchUser.username, benchUser.password, systemRandom());
    const roles = [{ role: 'platformAdmin', database: 'admin' }];
    const users = [{ username: 'bench', database: 'admin', roles, scram }];
    const access = { revision: 1, addresses: ['127.0.0.1/32'], users };
    const engine = createEmbeddedEngine({
      dataDir,
      log: silentLog(),
      ports: { from: 20_000, to: 27_099, first: 20_000 + systemRandom().integer(6_000) },
    });
    try {
      return await work({
        engine,
        provision: (index) =>
          engine.provision(deploymentSpec({ id: String(index).padStart(24, '0'), access })),
        connect: ({ members }) => {
          const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
          return new MongoClient(`mongodb://bench:harbour@${hosts}/?replicaSet=set-1-shard-0`, {
            maxPoolSize: 200,
          }).connect();
        },
        fileOf: (id) => join(clustersDirectory(dataDir), id, FILE_NAME),
        processor: async () => {
          const { processor } = await engine.status();
          if (processor === undefined) throw new Error('the host does not tell its CPU time');
          return processor;
        },
      });
    } finally {
      await engine.stop();
    }
  });
}
