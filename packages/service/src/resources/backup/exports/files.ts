import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  extendedJsonLines,
  type SnapshotCollection,
  type SnapshotContents,
} from '@portolan/engine/management';
import type { ObjectStore } from '../../../objects/object-store.ts';
import { folderOf } from './prefix.ts';

/** The approximate size of one file in characters; a file is held in memory until it is written. */
const FILE_CHARACTERS = 16 * 1024 * 1024;

const pack = promisify(gzip);

/** The destination of an export. */
export interface Target {
  readonly bucket: ObjectStore;
  readonly prefix: string;
  readonly clusterName: string;
}

/** Internal databases, system collections except `system.js`, and views are not exported. */
export function isExported({ database, name, type }: SnapshotCollection): boolean {
  if (database === 'local' || database === 'config' || type === 'view') return false;
  return !name.startsWith('system.') || name === 'system.js';
}

/** Exports a collection and returns the number of files. The files are deterministic. */
export async function exportCollection(
  contents: SnapshotContents,
  collection: SnapshotCollection,
  { bucket, prefix, clusterName }: Target,
): Promise<number> {
  const folder = folderOf(prefix, collection);
  let files = 0;
  for (const { shard, documents } of await contents.shares(collection)) {
    if (documents === 0) continue;
    let number = 0;
    for await (const text of textsOf(contents, collection, shard)) {
      await bucket.put(`${folder}/${shard || clusterName}.${number++}.json.gz`, await pack(text));
      files++;
    }
  }
  await bucket.put(`${folder}/metadata.json`, Buffer.from(extendedJsonLines(collection.metadata)));
  return files + 1;
}

async function* textsOf(
  contents: SnapshotContents,
  collection: SnapshotCollection,
  shard: string,
): AsyncGenerator<string> {
  let text = '';
  for await (const { bytes } of contents.documents(collection, shard)) {
    text += extendedJsonLines(bytes);
    if (text.length < FILE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
