import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SnapshotCollection, SnapshotContents } from '@portolan/engine/management';
import { deserialize, EJSON } from 'bson';
import { createTarPacker } from 'modern-tar';

/**
 * This file writes a snapshot in the format of `mongodump`, one tar archive per shard, for `mongorestore` and
 * `bsondump`.
 */

/** The shard or replica set of an archive. */
export interface DumpMember {
  /** The replica set name of the shard; empty for an unsharded cluster. */
  readonly shard: string;
  /** Whether this archive also contains the data that does not belong to a single shard. */
  readonly first: boolean;
  /**
   * Whether the member is the replica set of the dedicated config servers. Its archive contains only the database
   * `config`, which the other archives omit.
   */
  readonly configServers: boolean;
}

interface DumpFile {
  readonly name: string;
  readonly size: number;
  content(): AsyncIterable<Uint8Array>;
}

/** The default folder of `mongorestore`. */
const FOLDER = 'dump';
const BUCKETS = 'system.buckets.';
/**
 * Lengths in bytes. As in `mongodump`, a name longer than `MAX_NAME` is cut to `CUT_NAME`, and a hash follows. So a
 * file name with its longest suffix has fewer than 256 bytes.
 */
const MAX_NAME = 238;
const CUT_NAME = 208;

/** Returns the uncompressed archive. Equal snapshots have equal archives. */
export function dumpOf(contents: SnapshotContents, member: DumpMember, time: Date): Readable {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    // Add the folder even if the shard owns no data.
    await controller.add({ name: `${FOLDER}/`, size: 0, mtime: time, type: 'directory' }).close();
    for await (const { name, size, content } of filesOf(contents, member)) {
      const header = { name: `${FOLDER}/${name}`, size, mtime: time, mode: 0o644, type: 'file' } as const;
      const writer = controller.add(header).getWriter();
      for await (const piece of content()) await writer.write(piece);
      await writer.close();
    }
    controller.finalize();
  };
  write().catch((error) => controller.error(error));
  return Readable.fromWeb(readable);
}

async function* filesOf(contents: SnapshotContents, member: DumpMember): AsyncGenerator<DumpFile> {
  for (const collection of contents.collections.filter((one) => isDumped(one, member))) {
    const data = dataOf(contents, collection);
    const shares = data === undefined ? [] : await contents.shares(data);
    const own = shares.find(({ shard }) => shard === member.shard) ?? (member.first ? shares[0] : undefined);
    const nobody = shares.every(({ documents }) => documents === 0);
    const holds = member.configServers || (nobody ? member.first : own !== undefined && own.documents > 0);
    if (!holds) continue;
    // `mongorestore` uses the folder name as the name of the database, without unescaping it. Names of databases
    // contain no slash and no dot.
    const folder = collection.database;
    const metadata = Buffer.from(EJSON.stringify(metadataOf(collection), { relaxed: false }));
    yield {
      name: `${folder}/${fileName(collection.name)}.metadata.json`,
      size: metadata.length,
      content: async function* () {
        yield metadata;
      },
    };
    if (data === undefined) continue;
    const taken = member.configServers ? shares : own === undefined ? [] : [own];
    yield {
      name: `${folder}/${fileName(data.name)}.bson`,
      size: taken.reduce((sum, { bytes }) => sum + bytes, 0),
      content: async function* () {
        const shard = member.configServers ? undefined : own?.shard;
        for await (const { bytes } of contents.documents(data, shard)) yield bytes;
      },
    };
  }
}

/**
 * Returns the metadata of a collection. Numbers keep their BSON types. Empty options and the UUID of views are omitted,
 * as `mongodump` does.
 */
function metadataOf({ metadata, type }: SnapshotCollection): object {
  const { options, uuid, ...rest } = deserialize(metadata, { promoteValues: false });
  const own = { indexes: rest.indexes, ...(type === 'collection' ? { uuid } : {}) };
  return { ...(Object.keys(options).length === 0 ? {} : { options }), ...own, ...rest };
}

/**
 * Whether the archive contains a collection. As in `mongodump`, it contains no system collections except `system.js`.
 */
function isDumped({ database, name }: SnapshotCollection, { configServers }: DumpMember): boolean {
  if (configServers || database === 'config') return configServers && database === 'config';
  return !name.startsWith('system.') || (name === 'system.js' && database !== 'admin');
}

/**
 * Returns the collection that contains the documents. For a time series, this is its bucket collection. A view has
 * none.
 */
function dataOf(contents: SnapshotContents, collection: SnapshotCollection): SnapshotCollection | undefined {
  const { database, name, type } = collection;
  if (type === 'collection') return collection;
  const buckets = BUCKETS + name;
  return contents.collections.find((one) => one.database === database && one.name === buckets);
}

/**
 * Escapes the name of a collection. Replaces a space by `%20` and a plus by `%2B`, because Go's `url.QueryUnescape`
 * reads `+` as a space, but other functions do not. Escapes the characters of the pattern separately, since
 * `encodeURIComponent` does not escape them.
 */
function fileName(name: string): string {
  const escaped = encodeURIComponent(name).replace(/[!'()*]/g, escapedAscii);
  if (escaped.length <= MAX_NAME) return escaped;
  const hash = createHash('sha1').update(name).digest('base64url');
  return `${escaped.slice(0, CUT_NAME)}%24${hash}`;
}

const escapedAscii = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
