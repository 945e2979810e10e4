import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SnapshotCollection, SnapshotContents } from '@portolan/engine/management';
import { deserialize, EJSON } from 'bson';
import { createTarPacker } from 'modern-tar';

/** A snapshot as `mongodump` would have written it, so that its companions read it: an archive for each member. */

/** The part of a cluster whose archive is made. */
export interface DumpMember {
  /** The shard, by the name of its replica set; empty where there is but one replica set. */
  readonly shard: string;
  /** It has what belongs to no shard. */
  readonly first: boolean;
  /** Config servers of their own: they hold the database `config`, which others leave out, and nothing else. */
  readonly configServers: boolean;
}

interface DumpFile {
  readonly name: string;
  readonly size: number;
  content(): AsyncIterable<Uint8Array>;
}

/** What `mongorestore` looks for where it is not told. */
const FOLDER = 'dump';
const BUCKETS = 'system.buckets.';
/** The tool's bounds: file names have at most 255 bytes, its longest ending among them. */
const MOST_NAME = 238;
const CUT_NAME = 208;

/** The archive, not packed; the same bytes whenever it is made. */
export function dumpOf(contents: SnapshotContents, member: DumpMember, time: Date): Readable {
  const { readable, controller } = createTarPacker();
  const write = async () => {
    // Also where a shard owns nothing.
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
    const folder = fileName(collection.database);
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

/** The numbers keep their types. What is empty, or not the collection's own, the tool leaves out. */
function metadataOf({ metadata, type }: SnapshotCollection): object {
  const { options, uuid, ...rest } = deserialize(metadata, { promoteValues: false });
  const own = { indexes: rest.indexes, ...(type === 'collection' ? { uuid } : {}) };
  return { ...(Object.keys(options).length === 0 ? {} : { options }), ...own, ...rest };
}

/** As the tool, without what a cluster keeps for itself. */
function isDumped({ database, name }: SnapshotCollection, { configServers }: DumpMember): boolean {
  if (configServers || database === 'config') return configServers && database === 'config';
  return !name.startsWith('system.') || (name === 'system.js' && database !== 'admin');
}

/** Where the documents are that are written: of measurements in buckets, as tools carry them; views have none. */
function dataOf(contents: SnapshotContents, collection: SnapshotCollection): SnapshotCollection | undefined {
  const { database, name, type } = collection;
  if (type === 'collection') return collection;
  const buckets = BUCKETS + name;
  return contents.collections.find((one) => one.database === database && one.name === buckets);
}

function fileName(name: string): string {
  // As Go's `url.QueryEscape`, but for characters that nobody minds.
  const escaped = encodeURIComponent(name).replaceAll('%20', '+');
  if (escaped.length <= MOST_NAME) return escaped;
  const hash = createHash('sha1').update(name).digest('base64url');
  return `${escaped.slice(0, CUT_NAME)}%24${hash}`;
}
