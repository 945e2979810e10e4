import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AskedThread, fill } from '../host/asked-thread.ts';
import { entryPoint } from '../host/entry-point.ts';
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

export interface OpenSnapshotOptions {
  /** Where the copy is put together, in a folder of its own, which goes with the end of the reading. */
  readonly folder: string;
  /** That of the snapshot, where it is encrypted. */
  readonly key?: Uint8Array;
  /** Ends it at any time: what is asked then rejects. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a snapshot out of its frames, chunks with their content, in a thread of this process: no engine host is needed,
 * as its cluster may be gone. Rejects where it does not hold what was taken, or there is no room for the copy.
 */
export async function openSnapshot(frames: Bytes, options: OpenSnapshotOptions): Promise<SnapshotContents> {
  const folder = await mkdtemp(join(options.folder, 'snapshot-'));
  const thread: ContentsThread = new AskedThread(ENTRY, {
    folder,
    key: options.key,
  } satisfies ContentsRequest);
  const cancel = () => void thread.end('the reading of the snapshot was cancelled');
  options.signal?.addEventListener('abort', cancel, { once: true });
  const close = async () => {
    options.signal?.removeEventListener('abort', cancel);
    await thread.end('the snapshot is not read any more');
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

type ContentsThread = AskedThread<ContentsInput, ContentsOutput>;

class OpenedSnapshot implements SnapshotContents {
  readonly collections: readonly SnapshotCollection[];
  readonly digests: readonly CollectionDigest[];
  readonly #thread: ContentsThread;
  readonly #close: () => Promise<void>;
  #turn: Promise<unknown> = Promise.resolve();
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
    const output = await this.#ask({ sharesOf: { database, name } });
    return 'shares' in output ? output.shares : [];
  }

  async *documents({ database, name }: SnapshotCollection, shard?: string): AsyncGenerator<DocumentBatch> {
    const reader = this.#readers++;
    await this.#ask({ documentsOf: { database, name }, shard, reader });
    try {
      for (;;) {
        const output = await this.#ask({ nextOf: reader });
        if (!('batch' in output) || output.batch === undefined) return;
        yield output.batch;
      }
    } finally {
      // Where it was ended by whoever reads; the thread may be gone.
      await this.#ask({ endOf: reader }).catch(() => {});
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }

  #ask(input: ContentsInput): Promise<ContentsOutput> {
    const answer = this.#turn.then(() => this.#thread.ask(input));
    this.#turn = answer.catch(() => {});
    return answer;
  }
}
