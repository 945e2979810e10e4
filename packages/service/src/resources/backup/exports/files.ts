import { buffer } from 'node:stream/consumers';
import { createGzip } from 'node:zlib';
import {
  type DocumentBatch,
  extendedJsonLines,
  type SnapshotCollection,
  type SnapshotContents,
} from '@portolan/engine/management';
import { InFlight } from '@portolan/foundation/in-flight';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { folderOf } from './prefix.ts';

/** The approximate size of the text in one file. The text is held in memory until it is compressed. */
const FILE_BYTES = 16 * 1024 * 1024;
/** The number of files that are compressed and written while the next file is read. */
const AT_ONCE = 2;
/**
 * The fastest level, whose files are a tenth larger than at the default level. Large chunks wake the event loop less
 * often.
 */
const packing = { level: 1, chunkSize: 256 * 1024 };

/** The destination of an export. */
export interface Target {
  readonly bucket: ObjectStore;
  readonly prefix: string;
  readonly clusterName: string;
}

/** Whether a collection is exported. Internal databases, views, and system collections except `system.js` are not. */
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
      for await (const texts of filesOf(contents.lines(collection, shard), written)) {
        const key = `${folder}/${shard || clusterName}.${number++}.json.gz`;
        await puts.add(async () => bucket.put(key, await packed(texts)));
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

/** Collects batches into files. The batch that fills a file is its last. */
async function* filesOf(
  batches: AsyncGenerator<DocumentBatch>,
  written: (documents: number) => void,
): AsyncGenerator<Uint8Array[]> {
  let texts: Uint8Array[] = [];
  let length = 0;
  for await (const { bytes, documents } of batches) {
    texts.push(bytes);
    length += bytes.length;
    written(documents);
    if (length < FILE_BYTES) continue;
    yield texts;
    texts = [];
    length = 0;
  }
  if (length > 0) yield texts;
}

/** Compresses a file in a thread of the pool, so that several processors compress several files. */
function packed(texts: readonly Uint8Array[]): Promise<Buffer> {
  const gzip = createGzip(packing);
  const content = buffer(gzip);
  for (const text of texts) gzip.write(text);
  gzip.end();
  return content;
}
