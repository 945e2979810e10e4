import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { entryPoint } from '@portolan/foundation/entry-point';
import type { ArchiveRequest } from '../backup/archive.ts';
import type { CopiedFolder } from '../backup/copy-all.ts';
import type { StageKeys } from '../backup/stage.ts';
import type { TakeRequest } from '../backup/take.ts';
import { unchangedOplog } from '../backup/unchanged.ts';
import type { Bytes } from '../interface/call.ts';
import type { CollectionDigest, SnapshotEnd } from '../interface/snapshot.ts';
import { recordFolder } from '../observe/record-files.ts';
import { removeSearchFile } from '../search/file/remove-file.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { replaceFile } from '../storage/file/replace-file.ts';
import { temporaryName } from '../storage/file/temporary-file.ts';
import type { BackupInput, BackupOutput, BackupRequest } from './backup-thread.ts';
import { fill, RpcWorker } from './rpc-worker.ts';

const ENTRY = entryPoint(import.meta.filename, './backup-thread');

type BackupThread = RpcWorker<BackupInput, BackupOutput>;

/**
 * Takes snapshots, reads oplogs and writes snapshots to files. Each request has a temporary folder and a thread of its
 * own.
 */
export class Backups {
  readonly #running = new Set<BackupThread>();
  /**
   * A thread that is kept for the next request, because starting one takes longer than a snapshot of a small cluster.
   */
  #idle: BackupThread | undefined;
  /** True if a thread was used since the last call of `endIfIdle`. */
  #needed = false;

  /** Yields the frames of a cluster's snapshot. */
  async *take(of: Omit<TakeRequest, 'folder'>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const folder = await newFolder(of.directory);
    try {
      yield* this.#pieces({ take: { ...of, folder } }, signal);
    } finally {
      await remove(folder);
    }
  }

  /** Yields the frames of a cluster's oplog. `directory` is the directory of the cluster. */
  async *archive(request: ArchiveRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { directory, after, encryption } = request;
    const unchanged = after && unchangedOplog(directory, after, encryption?.key);
    if (unchanged !== undefined) return yield unchanged;
    yield* this.#pieces({ archive: request }, signal);
  }

  /** Writes a snapshot to a new file next to the file of the cluster. Removes the new file after `use`. */
  async stage<T>(
    { directory, ...keys }: StageKeys & { readonly directory: string },
    bytes: Bytes,
    signal: AbortSignal,
    use: (file: string, end: SnapshotEnd) => Promise<T>,
  ): Promise<T> {
    const folder = await newFolder(directory);
    const file = join(folder, FILE_NAME);
    const work = this.#start({ stage: { file, ...keys } }, signal);
    try {
      const last = await fill(work.thread, bytes);
      if (!('done' in last) || last.done === undefined) throw new Error('the snapshot is truncated');
      work.isDone = true;
      return await use(file, last.done);
    } finally {
      await this.#end(work);
      await remove(folder);
    }
  }

  /**
   * Encrypts, decrypts or rekeys the closed file of a cluster, and its logs. A complete file, either old or new, exists
   * at any time.
   */
  async reseal(directory: string, keys: StageKeys): Promise<void> {
    // Remove the search indexes. They will be rebuilt in a file with the new encryption.
    removeSearchFile(directory);
    const folder = await newFolder(directory);
    const file = join(directory, FILE_NAME);
    const resealed = join(folder, FILE_NAME);
    const logs = recordFolder(directory);
    try {
      await this.#answer({ reseal: { file, to: resealed, logs, ...keys } });
      replaceFile(file, resealed, keys.from);
    } finally {
      await remove(folder);
    }
  }

  /** Opens the files of several clusters, to copy them as of the same point in time. */
  async prepareCopies(folders: readonly CopiedFolder[]): Promise<PreparedCopies> {
    // Without deployments, no thread is needed. This is the case at every first start, and starting a thread would take
    // longer than the rest of the start.
    if (folders.length === 0) return { begin: async () => true, done: async () => {}, end: async () => {} };
    const work = this.#start({ copyAll: folders });
    const { thread } = work;
    let begun = false;
    try {
      await thread.reply();
    } catch (error) {
      await this.#end(work);
      throw error;
    }
    return {
      async begin() {
        const answer = await thread.request({ begin: true });
        begun = 'begun' in answer && answer.begun;
        return begun;
      },
      async done() {
        if (begun) await thread.reply();
      },
      end: () => this.#end(work),
    };
  }

  /** Returns digests of the collections in the closed file of a cluster. */
  async digests(directory: string, key: Uint8Array | undefined): Promise<readonly CollectionDigest[]> {
    const file = join(directory, FILE_NAME);
    if (!existsSync(file)) return [];
    const answer = await this.#answer({ digests: { file, key } });
    return 'digests' in answer ? answer.digests : [];
  }

  /** Ends the idle thread, unless a thread was used since the last call. An idle thread takes about 10 MB. */
  async endIfIdle(): Promise<void> {
    const needed = this.#needed;
    this.#needed = false;
    if (!needed) await this.#takeIdle()?.end('it is idle');
  }

  async stop(): Promise<void> {
    const idle = this.#takeIdle();
    if (idle !== undefined) this.#running.add(idle);
    await Promise.all([...this.#running].map((thread) => thread.end('the host ends')));
  }

  /** Yields the result of a request in pieces. */
  async *#pieces(request: BackupRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const work = this.#start(request, signal);
    try {
      for (;;) {
        const output = await work.thread.request({ next: true });
        if (!('piece' in output)) break;
        yield output.piece;
      }
      work.isDone = true;
    } finally {
      await this.#end(work);
    }
  }

  async #answer(request: BackupRequest): Promise<BackupOutput> {
    const work = this.#start(request);
    try {
      const answer = await work.thread.reply();
      work.isDone = true;
      return answer;
    } finally {
      await this.#end(work);
    }
  }

  #start(request: BackupRequest, signal?: AbortSignal): Work {
    this.#needed = true;
    // Do not use the idle thread for `copyAll`. An earlier request may have lowered the priority of the thread.
    const kept = 'copyAll' in request ? undefined : this.#takeIdle();
    const thread: BackupThread = kept ?? new RpcWorker(ENTRY, {});
    this.#running.add(thread);
    const cancel = () => void thread.end('its caller has cancelled');
    signal?.addEventListener('abort', cancel, { once: true });
    thread.send(request);
    return { thread, isDone: false, release: () => signal?.removeEventListener('abort', cancel) };
  }

  async #end({ thread, isDone, release }: Work): Promise<void> {
    release();
    this.#running.delete(thread);
    if (isDone && !thread.isEnded && this.#idle === undefined) this.#idle = thread;
    else await thread.end('it is done');
  }

  /** Returns the idle thread, unless it has ended unexpectedly. */
  #takeIdle(): BackupThread | undefined {
    const idle = this.#idle;
    this.#idle = undefined;
    return idle?.isEnded ? undefined : idle;
  }
}

/** Copies of the folders of several clusters, as of the same point in time. */
export interface PreparedCopies {
  /** Fixes the point in time of the copies. Resolves to false if a cluster is being written to. */
  begin(): Promise<boolean>;
  /** Resolves when the copies are complete. Resolves at once if `begin` has not started them. */
  done(): Promise<void>;
  /** Abandons incomplete copies. */
  end(): Promise<void>;
}

/** A request in progress. */
interface Work {
  readonly thread: BackupThread;
  /** True if the thread can be used again. */
  isDone: boolean;
  /** Removes the request's listener from its abort signal. */
  readonly release: () => void;
}

async function newFolder(directory: string): Promise<string> {
  const folder = temporaryName(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
