import {
  type CollectionDigest,
  encodeFrame,
  framesOf,
  type Replay,
  unpackChunk,
} from '@portolan/engine/management';
import { InFlight, lookAhead } from '@portolan/foundation/in-flight';
import type { WrappedKey } from '@portolan/foundation/keys/wrapped-key';
import type { ObjectStore } from '../../../objects/object-store.ts';

/** Chunks that are written or read at the same time: a store that is far away answers each only after a while. */
const AT_ONCE = 4;

/** SHA-256 in hexadecimal. */
const HASH = /^[0-9a-f]{64}$/;
/** What whoever unpacks chunks says of one that is not what it is named by. */
const FOUND_DAMAGED = /^chunk ([0-9a-f]{64}) is damaged$/;

/** A snapshot as it is kept: which chunks it is made of, and what they hold. */
export interface Manifest {
  readonly format: 1;
  readonly position: { readonly seconds: number; readonly increment: number };
  /** Unpacked. */
  readonly bytes: number;
  /** In order; `bytes` packed. */
  readonly chunks: ReadonlyArray<{ readonly hash: string; readonly bytes: number }>;
  readonly collections: readonly CollectionDigest[];
  /** Of an encrypted cluster: its key, wrapped, and the collections, which are then not told in clear. */
  readonly key?: WrappedKey;
  readonly sealed?: string;
  /** What had been written to the cluster; absent from old ones. */
  readonly state?: string;
}

/** What a store has of a cluster before a snapshot is taken. */
export interface Held {
  /** Packed bytes of all chunks, by their hashes. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The last snapshot, where all that it names is there. */
  readonly former: Manifest | undefined;
}

/** Whoever trusts nothing that a store has begins with this. */
export const nothingHeld: Held = { sizes: new Map(), former: undefined };

/** The hashes of which an engine is to send nothing. */
export function hashesOf({ sizes, former }: Held): string[] {
  return [...sizes.keys(), ...(former?.state === undefined ? [] : [former.state])];
}

/** Thrown where something that was kept is not there any more, or not what it was. */
export class VaultDamaged extends Error {
  override readonly name = 'VaultDamaged';
}

/**
 * The snapshots of one cluster. Chunks are kept once, under their hash, however many snapshots hold them. Whoever takes
 * and forgets snapshots of a cluster does so one after another.
 */
export class Vault {
  readonly #objects: ObjectStore;
  readonly #clusterId: string;

  constructor(objects: ObjectStore, clusterId: string) {
    this.#objects = objects;
    this.#clusterId = clusterId;
  }

  /** What is there to begin a snapshot with; `last` is the newest one that was completed. */
  async held(last: string | undefined): Promise<Held> {
    const sizes = new Map(await this.#objects.list(this.#key('chunks/')));
    const former = last === undefined ? undefined : await this.#find(last).catch(noneIfDamaged);
    const damaged = (former?.chunks ?? []).filter(({ hash, bytes }) => sizes.get(hash) !== bytes);
    // These are to come again.
    for (const { hash } of damaged) sizes.delete(hash);
    return { sizes, former: damaged.length > 0 ? undefined : former };
  }

  /** Keeps a snapshot out of its frames. The manifest is written last: without it there is no snapshot. */
  async keep(snapshotId: string, frames: AsyncIterable<Uint8Array>, held: Held): Promise<Manifest> {
    const puts = new InFlight(AT_ONCE);
    const manifest = await this.#read(frames, held, puts).finally(() => puts.ended());
    await puts.done();
    await this.#objects.put(this.#key(`snapshots/${snapshotId}.json`), Buffer.from(JSON.stringify(manifest)));
    return manifest;
  }

  /** Keeps the chunks among the frames. */
  async #read(frames: AsyncIterable<Uint8Array>, held: Held, puts: InFlight): Promise<Manifest> {
    const sizes = new Map(held.sizes);
    const chunks: Array<{ hash: string; bytes: number }> = [];
    let head: Pick<Manifest, 'format' | 'position' | 'bytes' | 'state' | 'key'> | undefined;
    let end: Pick<Manifest, 'collections' | 'sealed'> | undefined;
    for await (const frame of framesOf(frames)) {
      if (frame.kind === 'head') head = frame.head;
      else if (frame.kind === 'end') end = frame.end;
      else if (frame.kind === 'same') {
        if (held.former === undefined) throw new Error('there is no former snapshot');
        return held.former;
      } else if (frame.kind === 'chunk' || frame.kind === 'known') {
        if (frame.kind === 'chunk') {
          await puts.add(() => this.#objects.put(this.#key(`chunks/${frame.hash}`), frame.content));
          sizes.set(frame.hash, frame.content.length);
        }
        chunks.push({ hash: frame.hash, bytes: sizes.get(frame.hash) ?? 0 });
      }
    }
    if (head === undefined || end === undefined) throw new Error('the snapshot was cut off');
    return { ...head, chunks, ...end };
  }

  /** Keeps a snapshot of another vault, too; what is here already is not read again. */
  async copy(snapshotId: string, from: Vault): Promise<void> {
    const manifest = await from.manifest(snapshotId);
    const here = await this.#objects.list(this.#key('chunks/'));
    const missing = new Map(
      manifest.chunks
        .filter(({ hash, bytes }) => here.get(hash) !== bytes)
        .map((chunk) => [chunk.hash, chunk]),
    );
    const puts = new InFlight(AT_ONCE);
    try {
      for (const chunk of missing.values()) {
        await puts.add(async () => {
          const content = await from.#chunk(snapshotId, chunk);
          await this.#objects.put(this.#key(`chunks/${chunk.hash}`), content);
        });
      }
    } finally {
      await puts.ended();
    }
    await puts.done();
    await this.#objects.put(this.#key(`snapshots/${snapshotId}.json`), Buffer.from(JSON.stringify(manifest)));
  }

  /** Throws `VaultDamaged` where it is not kept. */
  async manifest(snapshotId: string): Promise<Manifest> {
    const manifest = await this.#find(snapshotId);
    if (manifest === undefined) throw new VaultDamaged(`snapshot ${snapshotId} is not in the snapshot store`);
    return manifest;
  }

  async #find(snapshotId: string): Promise<Manifest | undefined> {
    const content = await this.#objects.get(this.#key(`snapshots/${snapshotId}.json`));
    if (content === undefined) return undefined;
    try {
      return readManifest(content);
    } catch (error) {
      throw new VaultDamaged(`the manifest of snapshot ${snapshotId} is damaged`, { cause: error });
    }
  }

  /** The frames of a snapshot, as an engine takes them back; `replay`: of the oplog others follow. */
  async *frames(snapshotId: string, replay?: Replay): AsyncGenerator<Uint8Array> {
    const { position, bytes, chunks, collections, key, sealed } = await this.manifest(snapshotId);
    const head = { format: 1, position, bytes, ...(key && { key }), ...(replay && { replay }) } as const;
    yield encodeFrame({ kind: 'head', head });
    yield* lookAhead(chunks, AT_ONCE, async (chunk) => {
      const content = await this.#chunk(snapshotId, chunk);
      return encodeFrame({ kind: 'chunk', hash: chunk.hash, content });
    });
    yield encodeFrame({ kind: 'end', end: { collections, ...(sealed && { sealed }) } });
  }

  async #chunk(snapshotId: string, { hash, bytes }: Manifest['chunks'][number]): Promise<Uint8Array> {
    const content = await this.#objects.get(this.#key(`chunks/${hash}`));
    if (content === undefined)
      throw new VaultDamaged(`chunk ${hash} of snapshot ${snapshotId} is not in the snapshot store`);
    if (content.length !== bytes)
      throw new VaultDamaged(
        `chunk ${hash} of snapshot ${snapshotId} has ${content.length} of ${bytes} bytes`,
      );
    return content;
  }

  /**
   * What is to be thrown for a problem with what was read here. A chunk that was found damaged, and is so here, is
   * removed: of the right size it would be taken for whole, and now the next snapshot, or copy, brings it anew.
   */
  async diagnose(problem: unknown): Promise<unknown> {
    const [, hash] = (problem instanceof Error && FOUND_DAMAGED.exec(problem.message)) || [];
    if (hash === undefined) return problem;
    const key = this.#key(`chunks/${hash}`);
    const content = await this.#objects.get(key);
    if (content === undefined || isWhole(content, hash)) return problem;
    await this.#objects.delete([key]);
    return new VaultDamaged(`chunk ${hash} is damaged`, { cause: problem });
  }

  /**
   * Removes every snapshot but these, and the chunks that no other one holds, with what was cut off. While one that is
   * kept cannot be read, nobody knows what it holds: then chunks stay.
   */
  async forgetAllBut(kept: ReadonlySet<string>): Promise<void> {
    for (const part of ['chunks/', 'snapshots/']) await this.#objects.tidy?.(this.#key(part));
    const snapshots = [...(await this.#objects.list(this.#key('snapshots/'))).keys()];
    const going = snapshots.filter((name) => !kept.has(name.replace(/\.json$/, '')));
    await this.#objects.delete(going.map((name) => this.#key(`snapshots/${name}`)));
    const held = new Set<string>();
    for (const name of snapshots) {
      if (going.includes(name)) continue;
      const manifest = await this.#find(name.replace(/\.json$/, '')).catch(noneIfDamaged);
      if (manifest === undefined) return;
      for (const { hash } of manifest.chunks) held.add(hash);
    }
    const chunks = await this.#objects.list(this.#key('chunks/'));
    const loose = [...chunks.keys()].filter((hash) => !held.has(hash));
    await this.#objects.delete(loose.map((hash) => this.#key(`chunks/${hash}`)));
  }

  #key(rest: string): string {
    return `${this.#clusterId}/${rest}`;
  }
}

function isWhole(content: Uint8Array, hash: string): boolean {
  try {
    unpackChunk(content, hash);
    return true;
  } catch {
    return false;
  }
}

/** Throws where it does not have the form of one, as after damage that leaves it JSON. */
function readManifest(content: Uint8Array): Manifest {
  const manifest: Partial<Manifest> | null = JSON.parse(Buffer.from(content).toString());
  const { format, position, bytes, chunks, collections } = manifest ?? {};
  if (format !== 1 || position === undefined || typeof bytes !== 'number' || !Array.isArray(collections))
    throw new Error('this is no manifest');
  const named = ({ hash, bytes: size }: Manifest['chunks'][number]) => HASH.test(hash) && size >= 0;
  if (!Array.isArray(chunks) || !chunks.every(named)) throw new Error('it names no chunks');
  return manifest as Manifest;
}

function noneIfDamaged(error: unknown): undefined {
  if (!(error instanceof VaultDamaged)) throw error;
}
