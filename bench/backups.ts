import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Collection, MongoClient } from 'mongodb';
import type { EmbeddedEngine } from '../packages/engine/src/client/engine.ts';
import { openSnapshot } from '../packages/engine/src/client/snapshot-contents.ts';
import { folderStore } from '../packages/service/src/objects/folder.ts';
import { ChunkStore } from '../packages/service/src/resources/backup/chunk-store/chunk-store.ts';
import { exportCollection, isExported } from '../packages/service/src/resources/backup/exports/files.ts';
import { DOCUMENT_BYTES, type Doc, fill, fillWith, textOf } from './backup-data.ts';
import { snapshotLists } from './backup-lists.ts';
import { type BenchEngine, withEngine } from './engine-support.ts';
import { atLeast, atMost, type Figure, type Part } from './figure.ts';
import { milliseconds, withFolder } from './support.ts';

/** The size of the large cluster's documents. `BENCH_BACKUP_MB` reduces it for a quick run. */
const MEGABYTES = Number(process.env.BENCH_BACKUP_MB ?? 1024);
const FEW = 10_000;
const WRITERS = 8;
/** Writes are counted for at least this long. Snapshots are repeated during this time. */
const WRITES_MS = 5_000;

/**
 * The speed of snapshots and restores, compared with copying and compressing the same file, and their effect on
 * writers.
 */
export const backups: Part = {
  name: 'backups',
  measure: async () => [
    ...(await withEngine((bench) => withFolder((folder) => measureData(bench, folder)))),
    ...(await snapshotLists()),
  ],
};

async function measureData(bench: BenchEngine, folder: string): Promise<Figure[]> {
  const small = await bench.provision(1);
  const large = await bench.provision(2);
  const clients = await Promise.all([small, large].map((deployment) => bench.connect(deployment)));
  const [fewDocs, manyDocs] = clients.map((client) => documentsOf(client));
  if (fewDocs === undefined || manyDocs === undefined) throw new Error('there are two clusters');
  try {
    await fillWith(fewDocs, FEW);
    const few = await roundTrip(bench.engine, small.id, join(folder, 'small'));
    await fill(manyDocs, MEGABYTES);
    const whole = await wholeFigures(bench, large.id, folder);
    const writes = await writeFigures(bench.engine, large.id, manyDocs, folder);
    return [
      second('snapshot of 10,000 documents', few.taken),
      second('restore of 10,000 documents', few.restored),
      ...whole,
      writes,
    ];
  } finally {
    for (const client of clients) await client.close();
  }
}

const documentsOf = (client: MongoClient) => client.db('bench').collection<Doc>('kept');

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return milliseconds(start);
}

/** Takes a snapshot to an empty store, and restores it. */
async function roundTrip(engine: EmbeddedEngine, id: string, folder: string) {
  const chunks = new ChunkStore(folderStore(folder), id);
  const taken = await timed(() => take(engine, id, chunks));
  const restored = await timed(() => engine.restore(id, undefined, [], chunks.frames('snapshot')));
  return { taken, restored };
}

async function take(engine: EmbeddedEngine, id: string, chunks: ChunkStore): Promise<void> {
  await chunks.keep('snapshot', engine.snapshot(id, []), { sizes: new Map(), former: undefined });
}

async function wholeFigures(bench: BenchEngine, id: string, folder: string): Promise<Figure[]> {
  // Pause the cluster, because a pause checkpoints the write-ahead log. In normal operation, the log is checkpointed
  // from time to time.
  await bench.engine.pause(id);
  const file = bench.fileOf(id);
  const { size } = await stat(file);
  await bench.engine.resume(id);
  const rate = (ms: number) => size / 1e6 / (ms / 1000);
  const packed = await timed(() => copyAndPack(file, folder));
  const { taken, restored } = await roundTrip(bench.engine, id, join(folder, 'large'));
  const exported = await timed(() => exportAll(join(folder, 'large'), id, join(folder, 'exported')));
  const baseline = { name: 'copy and gzip -1', value: rate(packed) };
  const target = atLeast(0.6, 'ratio');
  const of = `${MEGABYTES.toLocaleString('en')} MB`;
  return [
    { name: `snapshot of ${of}`, value: rate(taken), unit: 'MB/s', baseline, target },
    { name: `restore of ${of}`, value: rate(restored), unit: 'MB/s', baseline, target },
    {
      name: `export of ${of}`,
      value: rate(exported),
      unit: 'MB/s',
      baseline: { name: 'snapshot', value: rate(taken) },
      target: atLeast(0.5, 'ratio'),
    },
  ];
}

/** Exports the snapshot of `roundTrip` to a folder. */
async function exportAll(folder: string, id: string, to: string): Promise<void> {
  const chunkStore = new ChunkStore(folderStore(folder), id);
  const bucket = folderStore(join(to, 'bucket'));
  await mkdir(to);
  await using contents = await openSnapshot(chunkStore.frames('snapshot'), { folder: to });
  for (const collection of contents.collections.filter(isExported))
    await exportCollection(contents, collection, { bucket, prefix: 'exported', clusterName: 'large' });
}

async function copyAndPack(file: string, folder: string): Promise<void> {
  const copy = join(folder, 'copy');
  await copyFile(file, copy);
  await pipeline(createReadStream(copy), createGzip({ level: 1 }), createWriteStream(`${copy}.gz`));
  await Promise.all([rm(copy), rm(`${copy}.gz`)]);
}

async function writeFigures(
  engine: EmbeddedEngine,
  id: string,
  documents: Collection<Doc>,
  folder: string,
): Promise<Figure> {
  const packing = startPacking();
  const besidePacking = await writesPerSecond(documents, async () => {
    await new Promise((resolve) => setTimeout(resolve, WRITES_MS));
  });
  const ended = once(packing, 'exit');
  packing.kill();
  await ended;
  const besideSnapshots = await writesPerSecond(documents, async () => {
    const start = performance.now();
    for (let round = 0; round === 0 || milliseconds(start) < WRITES_MS; round++) {
      const objects = folderStore(join(folder, `beside-${round}`));
      await take(engine, id, new ChunkStore(objects, id));
    }
  });
  return {
    name: `writes during a snapshot, ${WRITERS} writers`,
    value: besideSnapshots,
    unit: '/s',
    baseline: { name: 'during gzip -1', value: besidePacking },
    target: atLeast(0.7, 'ratio'),
  };
}

/** Starts a process that compresses until it is stopped. */
function startPacking(): ChildProcess {
  const script = `
    const { gzipSync } = require('node:zlib');
    const text = Array.from({ length: 500_000 }, (_, i) => (i * 2654435761 % 4294967296).toString(36)).join();
    for (;;) gzipSync(text, { level: 1 });`;
  return spawn(process.execPath, ['-e', script], { stdio: 'ignore' });
}

async function writesPerSecond(documents: Collection<Doc>, work: () => Promise<void>): Promise<number> {
  const total = await documents.estimatedDocumentCount();
  let [writing, written] = [true, 0];
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = writer; writing; n += WRITERS, written++) {
      await documents.updateOne({ _id: (n * 7919) % total }, { $set: { text: textOf(n, DOCUMENT_BYTES) } });
    }
  });
  const ms = await timed(work);
  const counted = written;
  writing = false;
  await Promise.all(writers);
  return counted / (ms / 1000);
}

function second(name: string, ms: number): Figure {
  return { name, value: ms, unit: 'ms', target: atMost(1000) };
}
