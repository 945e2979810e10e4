import { createGzip } from 'node:zlib';
import {
  type DocumentBatch,
  extendedJsonLines,
  type SnapshotCollection,
  type SnapshotContents,
} from '@portolan/engine/management';
import { freeMemory } from '@portolan/foundation/free-memory';
import { InFlight } from '@portolan/foundation/in-flight';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { folderOf } from './prefix.ts';

/** The approximate size of the text in one file. Its compressed bytes are held in memory until they are written. */
const FILE_BYTES = 16 * 1024 * 1024;
/** The number of files that are written while the next file is read and compressed. */
const AT_ONCE = 2;
/**
 * The fastest compression level. Files are a tenth larger than with the default level. With large chunks, the stream
 * uses fewer turns of the event loop.
 */
const packing = { level: 1, chunkSize: 256 * 1024 };

/** The destination of an export. */
export interface Target {
  readonly bucket: ObjectStore;
  readonly prefix: string;
  readonly clusterName: string;
}

/**
 * Whether a collection is exported. Exports omit internal databases, views, and system collections except `system.js`.
 */
export function isExported({ database, name, type }: SnapshotCollection): boolean {
  if (database === 'local' || database === 'config' || type === 'view') return false;
  return !name.startsWith('system.') || name === 'system.js';
}

/**
 * Exports a collection and returns the number of files. Repeating an export writes equal files. Calls `written` with
 * the number of documents of each batch.
 */
export async function exportCollection(
  contents: SnapshotContents,
  collection: SnapshotCollection,
  { bucket, prefix, clusterName }: Target,
  written: (documents: number) => void = () => {},
): Promise<number> {
  const folder = folderOf(prefix, collection);
  const puts = new InFlight(AT_ONCE);
  let files = 0;
  try {
    for (const { shard, documents } of await contents.shares(collection)) {
      if (documents === 0) continue;
      let number = 0;
      for await (const file of filesOf(contents.lines(collection, shard), written)) {
        const key = `${folder}/${shard || clusterName}.${number++}.json.gz`;
        await puts.add(async () => {
          const content = await file.packed();
          await bucket.put(key, content);
          freeMemory(content);
        });
        files++;
      }
    }
  } finally {
    await puts.ended();
  }
  await puts.done();
  await bucket.put(`${folder}/metadata.json`, Buffer.from(extendedJsonLines(collection.metadata)));
  return files + 1;
}

/** Writes batches to files. The batch that exceeds the size of a file is the last one in this file. */
async function* filesOf(
  batches: AsyncGenerator<DocumentBatch>,
  written: (documents: number) => void,
): AsyncGenerator<PackedFile> {
  let file: PackedFile | undefined;
  try {
    for await (const { bytes, documents } of batches) {
      file ??= new PackedFile();
      await file.write(bytes);
      written(documents);
      if (file.length < FILE_BYTES) continue;
      yield file;
      file = undefined;
    }
    if (file !== undefined) yield file;
    file = undefined;
  } finally {
    file?.abandon();
  }
}

/**
 * A file whose text is compressed as it arrives, on a thread of the pool of Node.js. Only compressed bytes are held in
 * memory.
 */
class PackedFile {
  readonly #gzip = createGzip(packing);
  readonly #content = contentOf(this.#gzip);
  /** The size of the text so far. */
  length = 0;

  constructor() {
    // Ignore errors here. The caller of `packed` gets them. If the file is abandoned, nobody needs its content.
    this.#content.catch(() => {});
  }

  /** Resolves when the text is compressed and its memory is free. */
  async write(text: Uint8Array): Promise<void> {
    this.length += text.length;
    await new Promise<void>((resolve, reject) => {
      this.#gzip.write(text, (error) => (error ? reject(error) : resolve()));
    });
    freeMemory(text);
  }

  packed(): Promise<Buffer> {
    this.#gzip.end();
    return this.#content;
  }

  abandon(): void {
    this.#gzip.destroy();
  }
}

/** Reads a stream of chunks that nothing else uses, and frees their memory. */
async function contentOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const whole = Buffer.concat(chunks);
  // Free each buffer once, since several chunks of a stream share one buffer. Do not free the pool of Node.js, which
  // may contain small chunks, and which other code uses, too.
  for (const shared of new Set(chunks.map((chunk) => chunk.buffer))) {
    if (shared.byteLength > Buffer.poolSize) freeMemory(new Uint8Array(shared));
  }
  return whole;
}
