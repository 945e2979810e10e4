import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';
import type { Deployment } from '../packages/engine/src/interface/engine.ts';
import { machineClock } from '../packages/foundation/src/clock.ts';
import { silentLog } from '../packages/foundation/src/log.ts';
import { systemRandom } from '../packages/foundation/src/random.ts';
import { MigrationRun } from '../packages/portolan/src/link/migration/run.ts';
import { type BenchEngine, benchUser, withEngine } from './engine-support.ts';
import { atLeast, atMost, type Figure, type Part } from './figure.ts';

/** The size of the source's documents. `BENCH_MIGRATION_MB` reduces it for a quick run. */
const MEGABYTES = Number(process.env.BENCH_MIGRATION_MB ?? 1024);
const DOCUMENT_BYTES = 1_000;
const BATCH = 1_000;
const WRITES_PER_SECOND = 2_000;
const WRITING_S = 10;
const PROBE_MS = 250;

interface Doc {
  readonly _id: number;
  readonly text: string;
}

/**
 * The speed of a migration, compared with a program that reads and writes the same data, and the time until changes
 * reach the destination.
 */
export const migrations: Part = {
  name: 'migrations',
  measure: () => withEngine((source) => withEngine((target) => measure(source, target))),
};

async function measure(from: BenchEngine, to: BenchEngine): Promise<Figure[]> {
  const ends = [await from.provision(1), await to.provision(1)] as const;
  const source = await from.connect(ends[0]);
  const target = await to.connect(ends[1]);
  const count = Math.ceil((MEGABYTES * 1e6) / DOCUMENT_BYTES);
  try {
    await fill(source, count);
    const plain = await seconds(() => copyPlainly(source, target));
    const run = runOf(ends);
    const migrated = await seconds(async () => {
      while (!run.progress().ready) await setTimeout(20);
    });
    const lags = await lagsWhileWriting(ends[0], source, target);
    await run.stop();
    const rate = (time: number) => count / time;
    return [
      {
        name: `live migration of ${MEGABYTES.toLocaleString('en')} MB`,
        value: rate(migrated),
        unit: 'documents/s',
        baseline: { name: 'find and insertMany', value: rate(plain) },
        target: atLeast(0.5, 'ratio'),
      },
      {
        name: `longest lag of a live migration at ${WRITES_PER_SECOND.toLocaleString('en')} writes/s`,
        value: Math.max(...lags.delays) / 1000,
        unit: 's',
        target: atMost(2),
      },
      {
        name: 'writes during a live migration',
        value: lags.perSecond,
        unit: '/s',
        target: atLeast(WRITES_PER_SECOND * 0.9),
      },
    ];
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const cargo = (client: MongoClient, db = 'harbour') => client.db(db).collection<Doc>('cargo');

async function fill(client: MongoClient, count: number): Promise<void> {
  const text = 'x'.repeat(DOCUMENT_BYTES - 40);
  for (let first = 0; first < count; first += BATCH) {
    const length = Math.min(BATCH, count - first);
    await cargo(client).insertMany(Array.from({ length }, (_, i) => ({ _id: first + i, text })));
  }
}

async function copyPlainly(source: MongoClient, target: MongoClient): Promise<void> {
  const found = cargo(source).find({}, { batchSize: BATCH });
  while (await found.hasNext()) await cargo(target, 'plain').insertMany(found.readBufferedDocuments());
}

const uriOf = ({ members }: Deployment) =>
  `mongodb://${members.map(({ host, port }) => `${host}:${port}`).join(',')}/?replicaSet=set-1-shard-0&authSource=admin`;

function runOf([source, target]: readonly [Deployment, Deployment]): MigrationRun {
  return new MigrationRun({
    order: {
      id: '0123456789abcdef01234567',
      attempt: 1,
      source: { projectId: '', deployment: 'bench', ssl: false, credentials: benchUser },
      target: { uri: uriOf(target), ...benchUser },
      cutover: false,
    },
    uri: uriOf(source),
    authorityFile: undefined,
    machine: machineClock(),
    random: systemRandom(),
    log: silentLog(),
  });
}

/** How long single writes to the destination take while a separate process writes to the source. */
async function lagsWhileWriting(
  deployment: Deployment,
  source: MongoClient,
  target: MongoClient,
): Promise<{ delays: number[]; perSecond: number }> {
  const uri = uriOf(deployment).replace('//', `//${benchUser.username}:${benchUser.password}@`);
  const args = [
    join(import.meta.dirname, 'migration-writer.ts'),
    uri,
    String(WRITES_PER_SECOND),
    String(WRITING_S),
  ];
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(child, 'exit');
  const delays: number[] = [];
  for (let probe = 0; child.exitCode === null; probe++) {
    const _id = -1 - probe;
    await cargo(source).insertOne({ _id, text: 'probe' });
    const start = performance.now();
    while ((await cargo(target).findOne({ _id })) === null) await setTimeout(5);
    delays.push(performance.now() - start);
    await setTimeout(PROBE_MS);
  }
  await ended;
  return { delays, perSecond: Number(output) / WRITING_S };
}
