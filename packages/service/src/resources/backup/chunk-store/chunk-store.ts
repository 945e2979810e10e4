import {
  CHUNK_BYTES,
  type CollectionDigest,
  encodeFrame,
  framesOf,
  type Replay,
  unpackChunk,
} from '@portolan/engine/management';
import { freeMemory } from '@portolan/foundation/free-memory';
import { InFlight, lookAhead } from '@portolan/foundation/in-flight';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import type { ObjectStore } from '../../../objects/object-store.ts';
import type { ReportProgress } from '../../../tasks/index.ts';

/** Number of chunks that are read or written concurrently, to hide the latency of a remote store. */
const AT_ONCE = 4;

/** SHA-256 in hexadecimal. */
const HASH = /^[0-9a-f]{64}$/;
/** Matches the message of `unpackChunk` for a chunk that does not match its hash. */
const FOUND_DAMAGED = /^chunk ([0-9a-f]{64}) is damaged$/;

/** The stored description of a snapshot: its chunks, and the collections that they contain. */
export interface Manifest {
  readonly format: 1;
  readonly position: { readonly seconds: number; readonly increment: number };
  /** The uncompressed size of the snapshot. */
  readonly bytes: number;
  /** The chunks, in the order in which they form the snapshot. The `bytes` of a chunk are its compressed size. */
  readonly chunks: ReadonlyArray<{ readonly hash: string; readonly bytes: number }>;
  readonly collections: readonly CollectionDigest[];
  /** Encrypted clusters only: the wrapped key, and the encrypted list of collections. */
  readonly key?: WrappedKey;
  readonly sealed?: string;
  /** A digest of the cluster's state; absent from manifests of earlier versions. */
  readonly state?: string;
  /**
   * How consistent the data is; only for deployments outside Portolan. `OPERATION` means that the snapshot contains all
   * data as it was at the same operation time.
   */
  readonly consistency?: 'OPERATION' | 'NONE';
}

/** The stored chunks of a cluster, before a new snapshot is taken. */
export interface StoredChunks {
  /** The compressed size of all chunks, by hash. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The manifest of the last snapshot, if all its chunks exist. */
  readonly former: Manifest | undefined;
}

/** The stored chunks for a snapshot that must not reuse any. */
export const nothingStored: StoredChunks = { sizes: new Map(), former: undefined };

/** Returns the hashes of chunks and states that are stored, and that the engine therefore need not send. */
export function hashesOf({ sizes, former }: StoredChunks): string[] {
  return [...sizes.keys(), ...(former?.state === undefined ? [] : [former.state])];
}

/** Thrown if a stored object is missing or damaged. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

/**
 * Stores the snapshots of one cluster: a manifest for each snapshot, and content-addressed chunks. A chunk is stored
 * once, however many snapshots contain it. Callers must take and remove the snapshots of a cluster one at a time.
 */
export class ChunkStore {
  readonly #objects: ObjectStore;
  readonly #clusterId: string;

  constructor(objects: ObjectStore, clusterId: string) {
    this.#objects = objects;
    this.#clusterId = clusterId;
  }

  /** Returns what a new snapshot can reuse. `last` is the id of the newest completed snapshot. */
  async stored(last: string | undefined): Promise<StoredChunks> {
    const sizes = new Map(await this.#objects.list(this.#key('chunks/')));
    const former = last === undefined ? undefined : await this.#find(last).catch(undefinedIfDamaged);
    const damaged = (former?.chunks ?? []).filter(({ hash, bytes }) => sizes.get(hash) !== bytes);
    // Omit damaged chunks, so that the engine sends them again.
    for (const { hash } of damaged) sizes.delete(hash);
    return { sizes, former: damaged.length > 0 ? undefined : former };
  }

  /** Stores a snapshot from its frames. The manifest is written last: a snapshot without a manifest does not exist. */
  async keep(
    snapshotId: string,
    frames: AsyncIterable<Uint8Array>,
    stored: StoredChunks,
    progress?: ReportProgress,
  ): Promise<Manifest> {
    const puts = new InFlight(AT_ONCE);
    const manifest = await this.#read(frames, stored, { puts, progress }).finally(() => puts.ended());
    await puts.done();
    await this.#objects.put(this.#key(`snapshots/${snapshotId}.json`), Buffer.from(JSON.stringify(manifest)));
    return manifest;
  }

  /** Stores the chunks in the frames and returns the manifest. */
  async #read(
    frames: AsyncIterable<Uint8Array>,
    stored: StoredChunks,
    { puts, progress }: { readonly puts: InFlight; readonly progress: ReportProgress | undefined },
  ): Promise<Manifest> {
    const sizes = new Map(stored.sizes);
    const chunks: Array<{ hash: string; bytes: number }> = [];
    let head: Omit<Manifest, 'chunks' | 'collections' | 'sealed'> | undefined;
    let end: Pick<Manifest, 'collections' | 'sealed'> | undefined;
    for await (const frame of framesOf(frames)) {
      if (frame.kind === 'head') head = frame.head;
      else if (frame.kind === 'end') end = frame.end;
      else if (frame.kind === 'same') {
        if (stored.former === undefined) throw new Error('there is no former snapshot');
        return stored.former;
      } else if (frame.kind === 'chunk' || frame.kind === 'known') {
        if (frame.kind === 'chunk') {
          await puts.add(() => this.#objects.put(this.#key(`chunks/${frame.hash}`), frame.content));
          sizes.set(frame.hash, frame.content.length);
        }
        chunks.push({ hash: frame.hash, bytes: sizes.get(frame.hash) ?? 0 });
        const total = head?.bytes ?? 0;
        progress?.({ unit: 'bytes', done: Math.min(chunks.length * CHUNK_BYTES, total), total });
      }
    }
    if (head === undefined || end === undefined) throw new Error('the snapshot was cut off');
    return { ...head, chunks, ...end };
  }

  /** Copies a snapshot from another chunk store. Skips chunks that this store already has. */
  async copy(snapshotId: string, from: ChunkStore, progress?: ReportProgress): Promise<void> {
    const manifest = await from.manifest(snapshotId);
    const here = await this.#objects.list(this.#key('chunks/'));
    const missing = new Map(
      manifest.chunks
        .filter(({ hash, bytes }) => here.get(hash) !== bytes)
        .map((chunk) => [chunk.hash, chunk]),
    );
    const puts = new InFlight(AT_ONCE);
    const report = counted([...missing.values()], progress);
    try {
      for (const chunk of missing.values()) {
        await puts.add(async () => {
          const content = await from.#chunk(snapshotId, chunk);
          await this.#objects.put(this.#key(`chunks/${chunk.hash}`), content);
          report(chunk);
        });
      }
    } finally {
      await puts.ended();
    }
    await puts.done();
    await this.#objects.put(this.#key(`snapshots/${snapshotId}.json`), Buffer.from(JSON.stringify(manifest)));
  }

  /** Reads a manifest. Throws `BackupDamaged` if it is missing or damaged. */
  async manifest(snapshotId: string): Promise<Manifest> {
    const manifest = await this.#find(snapshotId);
    if (manifest === undefined)
      throw new BackupDamaged(`snapshot ${snapshotId} is not in the snapshot store`);
    return manifest;
  }

  async #find(snapshotId: string): Promise<Manifest | undefined> {
    const content = await this.#objects.get(this.#key(`snapshots/${snapshotId}.json`));
    if (content === undefined) return undefined;
    try {
      return readManifest(content);
    } catch (error) {
      throw new BackupDamaged(`the manifest of snapshot ${snapshotId} is damaged`, { cause: error });
    }
  }

  /**
   * Yields the frames from which an engine restores a snapshot. If `replay` is set, the frames of the oplog must
   * follow.
   */
  async *frames(
    snapshotId: string,
    { replay, progress }: { readonly replay?: Replay; readonly progress?: ReportProgress } = {},
  ): AsyncGenerator<Uint8Array> {
    const { position, bytes, chunks, collections, key, sealed } = await this.manifest(snapshotId);
    const head = { format: 1, position, bytes, ...(key && { key }), ...(replay && { replay }) } as const;
    yield encodeFrame({ kind: 'head', head });
    const report = counted(chunks, progress);
    yield* lookAhead(chunks, AT_ONCE, async (chunk) => {
      const content = await this.#chunk(snapshotId, chunk);
      report(chunk);
      const frame = encodeFrame({ kind: 'chunk', hash: chunk.hash, content });
      // Free the content now, because the frame contains a copy of it.
      freeMemory(content);
      return frame;
    });
    yield encodeFrame({ kind: 'end', end: { collections, ...(sealed && { sealed }) } });
  }

  async #chunk(snapshotId: string, { hash, bytes }: StoredChunk): Promise<Uint8Array> {
    const content = await this.#objects.get(this.#key(`chunks/${hash}`));
    if (content === undefined)
      throw new BackupDamaged(`chunk ${hash} of snapshot ${snapshotId} is not in the snapshot store`);
    if (content.length !== bytes)
      throw new BackupDamaged(
        `chunk ${hash} of snapshot ${snapshotId} has ${content.length} of ${bytes} bytes`,
      );
    return content;
  }

  /**
   * Returns the error to throw for a failed read. If a chunk in this store is damaged, deletes the chunk, so that the
   * next snapshot or copy stores it again. Otherwise, a damaged chunk of the right size would count as stored.
   */
  async diagnose(problem: unknown): Promise<unknown> {
    const [, hash] = (problem instanceof Error && FOUND_DAMAGED.exec(problem.message)) || [];
    if (hash === undefined) return problem;
    const key = this.#key(`chunks/${hash}`);
    const content = await this.#objects.get(key);
    if (content === undefined || isWhole(content, hash)) return problem;
    await this.#objects.delete([key]);
    return new BackupDamaged(`chunk ${hash} is damaged`, { cause: problem });
  }

  /**
   * Removes all snapshots except those in `kept`. Also removes chunks that no kept snapshot contains, and incomplete
   * objects. If the manifest of a kept snapshot cannot be read, its chunks are unknown, and no chunk is removed.
   */
  async forgetAllBut(kept: ReadonlySet<string>): Promise<void> {
    for (const part of ['chunks/', 'snapshots/']) await this.#objects.tidy?.(this.#key(part));
    const snapshots = [...(await this.#objects.list(this.#key('snapshots/'))).keys()];
    const obsolete = snapshots.filter((name) => !kept.has(name.replace(/\.json$/, '')));
    await this.#objects.delete(obsolete.map((name) => this.#key(`snapshots/${name}`)));
    const referenced = new Set<string>();
    for (const name of snapshots) {
      if (obsolete.includes(name)) continue;
      const manifest = await this.#find(name.replace(/\.json$/, '')).catch(undefinedIfDamaged);
      if (manifest === undefined) return;
      for (const { hash } of manifest.chunks) referenced.add(hash);
    }
    const chunks = await this.#objects.list(this.#key('chunks/'));
    const unreferenced = [...chunks.keys()].filter((hash) => !referenced.has(hash));
    await this.#objects.delete(unreferenced.map((hash) => this.#key(`chunks/${hash}`)));
  }

  #key(rest: string): string {
    return `${this.#clusterId}/${rest}`;
  }
}

type StoredChunk = Manifest['chunks'][number];

/** Returns a function that reports, after each chunk, the total size of the chunks stored so far. */
function counted(chunks: readonly StoredChunk[], progress?: ReportProgress): (chunk: StoredChunk) => void {
  const total = chunks.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  return ({ bytes }) => {
    done += bytes;
    progress?.({ unit: 'bytes', done, total });
  };
}

function isWhole(content: Uint8Array, hash: string): boolean {
  try {
    unpackChunk(content, hash);
    return true;
  } catch {
    return false;
  }
}

/** Parses a manifest. Throws if it is not JSON or has another shape. */
function readManifest(content: Uint8Array): Manifest {
  const manifest: Partial<Manifest> | null = JSON.parse(Buffer.from(content).toString());
  const { format, position, bytes, chunks, collections } = manifest ?? {};
  if (format !== 1 || position === undefined || typeof bytes !== 'number' || !Array.isArray(collections))
    throw new Error('it is not a manifest');
  const named = ({ hash, bytes: size }: StoredChunk) => HASH.test(hash) && size >= 0;
  if (!Array.isArray(chunks) || !chunks.every(named)) throw new Error('it has no chunks');
  return manifest as Manifest;
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof BackupDamaged)) throw error;
}
