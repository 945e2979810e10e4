import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPoint } from '@portolan/foundation/entry-point';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { fill, RpcWorker } from '../host/rpc-worker.ts';
import type { Bytes } from '../interface/call.ts';
import type {
  CollectionDigest,
  DocumentBatch,
  SnapshotCollection,
  SnapshotContents,
  SnapshotShare,
} from '../interface/snapshot.ts';
import type { ContentsInput, ContentsOutput, ContentsRequest } from './contents-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './contents-thread');
/**
 * Limits V8's young generation. Each document is read only once, so a larger young generation would only hold documents
 * that are no longer needed.
 */
const LIMITS = { maxYoungGenerationSizeMb: 3 };

export interface OpenSnapshotOptions {
  /** The folder for the copy of the snapshot, deleted when reading ends. */
  readonly folder: string;
  /** The key of the snapshot, if it is encrypted. */
  readonly key?: Uint8Array;
  /** Cancels reading at any time. Later requests are rejected. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a snapshot from its frames, which must include the content of all chunks. A thread of this process
 * reads it. No engine host is involved, because the cluster may no longer exist. Rejects if the snapshot is
 * damaged or the disk has no space for the copy.
 */
export async function openSnapshot(frames: Bytes, options: OpenSnapshotOptions): Promise<SnapshotContents> {
  const folder = await mkdtemp(join(options.folder, 'snapshot-'));
  const request: ContentsRequest = { folder, key: options.key };
  const thread: ContentsThread = new RpcWorker(ENTRY, request, LIMITS);
  const cancel = () => void thread.end('the reading of the snapshot was cancelled');
  options.signal?.addEventListener('abort', cancel, { once: true });
  const close = async () => {
    options.signal?.removeEventListener('abort', cancel);
    await thread.end('the snapshot is closed');
    await rm(folder, { recursive: true, force: true });
  };
  try {
    options.signal?.throwIfAborted();
    const output = await fill(thread, frames);
    if (!('collections' in output)) throw new Error('the snapshot has no contents');
    return new OpenedSnapshot(thread, output, close);
  } catch (error) {
    await close();
    throw error;
  }
}

type ContentsThread = RpcWorker<ContentsInput, ContentsOutput>;

class OpenedSnapshot implements SnapshotContents {
  readonly collections: readonly SnapshotCollection[];
  readonly digests: readonly CollectionDigest[];
  readonly #thread: ContentsThread;
  readonly #close: () => Promise<void>;
  readonly #queue = new SerialQueue();
  #readers = 0;

  constructor(
    thread: ContentsThread,
    { collections, digests }: Pick<SnapshotContents, 'collections' | 'digests'>,
    close: () => Promise<void>,
  ) {
    this.#thread = thread;
    this.collections = collections;
    this.digests = digests;
    this.#close = close;
  }

  async shares({ database, name }: SnapshotCollection): Promise<readonly SnapshotShare[]> {
    const output = await this.#request({ sharesOf: { database, name } });
    return 'shares' in output ? output.shares : [];
  }

  documents(of: SnapshotCollection, shard?: string): AsyncGenerator<DocumentBatch> {
    return this.#batches(of, shard, false);
  }

  lines(of: SnapshotCollection, shard?: string): AsyncGenerator<DocumentBatch> {
    return this.#batches(of, shard, true);
  }

  /** Yields batches. The thread reads one batch ahead of the consumer. */
  async *#batches(
    { database, name }: SnapshotCollection,
    shard: string | undefined,
    asLines: boolean,
  ): AsyncGenerator<DocumentBatch> {
    const reader = this.#readers++;
    await this.#request({ documentsOf: { database, name }, shard, reader, asLines });
    const next = () => {
      const requested = this.#request({ nextOf: reader });
      // The consumer may stop reading before this request fails, so its rejection must be handled here.
      requested.catch(() => {});
      return requested;
    };
    try {
      for (let requested = next(); ; ) {
        const output = await requested;
        if (!('batch' in output) || output.batch === undefined) return;
        requested = next();
        yield output.batch;
      }
    } finally {
      // The request fails if the thread has already ended. In this case, there is no reader to end.
      await this.#request({ endOf: reader }).catch(() => {});
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  #request(input: ContentsInput): Promise<ContentsOutput> {
    return this.#queue.run(() => this.#thread.request(input));
  }
}
