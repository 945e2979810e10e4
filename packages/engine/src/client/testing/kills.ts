import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { enginePorts } from '@portolan/test-support/ports';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { scramCredentials } from '../../access/scram.ts';
import { deploymentSpec } from '../../testing.ts';
import { createEmbeddedEngine, type EmbeddedEngine } from '../engine.ts';
import { startHost } from './host.ts';
import { Counter, Inserter, Mover, Watcher, type Writer } from './writers.ts';

export interface KillOptions {
  readonly kills: number;
  readonly clusters: number;
  /** Upper limit of the random number of acknowledged writes between two kills. */
  readonly mostWrites: number;
  readonly draw: (limit: number) => number;
}

export interface KillReport {
  readonly kills: number;
  readonly acknowledged: number;
  /** Descriptions of the faults that were found. Empty if everything is correct. */
  readonly faults: readonly string[];
}

interface Cluster {
  readonly uri: string;
  readonly client: MongoClient;
  readonly writers: readonly Writer[];
  readonly watcher: Watcher;
}

/** Repeatedly kills the engine host while drivers write to its clusters, and then checks all acknowledged writes. */
export async function killWhileWriting(options: KillOptions): Promise<KillReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portolan-kills-'));
  const ports = await enginePorts();
  const engine = createEmbeddedEngine({
    dataDir,
    startHost,
    log: silentLog(),
    ports,
  });
  const clusters: Cluster[] = [];
  try {
    for (let i = 0; i < options.clusters; i++) clusters.push(await newCluster(engine, i));
    const writers = clusters.flatMap((cluster) => cluster.writers);
    const kills = await writeAndKill(engine, writers, options);
    const faults = await Promise.all(clusters.map(faultsOf));
    const acknowledged = writers.reduce((sum, writer) => sum + writer.acknowledged, 0);
    return { kills, acknowledged, faults: faults.flat() };
  } finally {
    await Promise.allSettled(clusters.map(({ watcher }) => watcher.stop()));
    await Promise.all(clusters.map(({ client }) => client.close()));
    await engine.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function newCluster(engine: EmbeddedEngine, index: number): Promise<Cluster> {
  const scram = await scramCredentials('ada', 'pencil', systemRandom());
  const roles = [{ role: 'platformAdmin', database: 'admin' }];
  const spec = deploymentSpec({
    id: String(index + 1).padStart(24, '0'),
    access: {
      revision: 1,
      addresses: ['127.0.0.1/32'],
      users: [{ username: 'ada', database: 'admin', roles, scram }],
    },
  });
  const { members } = await engine.provision(spec);
  const hosts = members.map(({ host, port }) => `${host}:${port}`).join(',');
  const uri = `mongodb://ada:pencil@${hosts}/?replicaSet=${spec.replicaSetName}`;
  // This timeout is longer than a host needs to start on a busy machine.
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 180_000 });
  const watcher = new Watcher(client);
  await watcher.start();
  const writers = [
    new Inserter('one', client),
    new Inserter('two', client),
    new Counter('up', client),
    new Mover('coins', client),
  ];
  return { uri, client, writers, watcher };
}

/** Writes and kills the host repeatedly. Returns the number of kills. */
async function writeAndKill(
  engine: EmbeddedEngine,
  writers: readonly Writer[],
  { kills, mostWrites, draw }: KillOptions,
): Promise<number> {
  const count = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  let writing = true;
  const all = Promise.all(
    writers.map(async (writer) => {
      while (writing) await writer.step();
    }),
  );
  let failed = false;
  all.catch(() => {
    failed = true;
  });
  let done = 0;
  try {
    for (; done < kills && !failed; done++) {
      const target = count() + 1 + draw(mostWrites);
      while (count() < target && !failed) await setTimeout(1);
      const { pid } = await engine.status();
      process.kill(pid, 'SIGKILL');
    }
    const target = count() + 1;
    while (count() < target && !failed) await setTimeout(1);
  } finally {
    writing = false;
    await Promise.allSettled([all]);
  }
  await all;
  return done;
}

async function faultsOf({ uri, writers, watcher }: Cluster): Promise<string[]> {
  const client = new MongoClient(uri, LONG_TIMEOUTS);
  try {
    const missing = await Promise.all([...writers, watcher].map((each) => each.missing(client)));
    return missing.flat();
  } finally {
    await client.close();
  }
}
