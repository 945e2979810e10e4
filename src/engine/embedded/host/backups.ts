import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../../call.ts';
import type { CollectionDigest, SnapshotEnd } from '../../snapshot.ts';
import type { ArchiveRequest } from '../backup/archive.ts';
import type { CopiedFolder } from '../backup/copy-all.ts';
import type { StageKeys } from '../backup/stage.ts';
import type { TakeRequest } from '../backup/take.ts';
import { unchangedOplog } from '../backup/unchanged.ts';
import { recordFolder } from '../observe/record-files.ts';
import { removeSearchFile } from '../search/file/remove-file.ts';
import { FILE_NAME } from '../storage/format.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { temporaryName } from '../storage/temporary-file.ts';
import { AskedThread, fill } from './asked-thread.ts';
import type { BackupInput, BackupOutput, BackupRequest } from './backup-thread.ts';
import { entryPoint } from './entry-point.ts';

const ENTRY = entryPoint(import.meta.filename, './backup-thread');

type BackupThread = AskedThread<BackupInput, BackupOutput>;

/** Takes snapshots, reads oplogs and writes snapshots into files, each in a thread and a folder of its own. */
export class Backups {
  readonly #running = new Set<BackupThread>();

  /** The frames of a snapshot of a cluster. */
  async *take(of: Omit<TakeRequest, 'folder'>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const folder = await newFolder(of.directory);
    const thread = this.#start({ take: { ...of, folder } }, signal);
    try {
      yield* piecesOf(thread);
    } finally {
      await this.#end(thread, folder);
    }
  }

  /** The frames of the oplog of the cluster in `directory`. */
  async *archive(request: ArchiveRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { directory, after, encryption } = request;
    const unchanged = after && unchangedOplog(directory, after, encryption?.key);
    if (unchanged !== undefined) return yield unchanged;
    const thread = this.#start({ archive: request }, signal);
    try {
      yield* piecesOf(thread);
    } finally {
      await this.#end(thread);
    }
  }

  /** Writes one into a file beside that of the cluster, and hands it over: it is removed when `use` is done. */
  async stage<T>(
    { directory, ...keys }: StageKeys & { readonly directory: string },
    bytes: Bytes,
    signal: AbortSignal,
    use: (file: string, end: SnapshotEnd) => Promise<T>,
  ): Promise<T> {
    const folder = await newFolder(directory);
    const file = join(folder, FILE_NAME);
    const thread = this.#start({ stage: { file, ...keys } }, signal);
    try {
      const last = await fill(thread, bytes);
      if (!('done' in last) || last.done === undefined) throw new Error('the snapshot has no end');
      return await use(file, last.done);
    } finally {
      await this.#end(thread, folder);
    }
  }

  /**
   * Encrypts the file of a cluster that nobody has open, and its logs, or makes them ones in clear; the old file is
   * there or the new one.
   */
  async reseal(directory: string, keys: StageKeys): Promise<void> {
    // What is indexed is indexed again, into a file like that of the cluster.
    removeSearchFile(directory);
    const folder = await newFolder(directory);
    const file = join(directory, FILE_NAME);
    const resealed = join(folder, FILE_NAME);
    const logs = recordFolder(directory);
    const thread = this.#start({ reseal: { file, to: resealed, logs, ...keys } });
    try {
      await thread.answer();
      replaceFile(file, resealed, keys.from);
    } finally {
      await this.#end(thread, folder);
    }
  }

  /** Copies the folders of clusters as they are at one moment. */
  async copyAll(folders: readonly CopiedFolder[]): Promise<void> {
    // As at every first start: a thread takes longer than all the rest of keeping that state.
    if (folders.length === 0) return;
    const thread = this.#start({ copyAll: folders });
    try {
      await thread.answer();
    } finally {
      await this.#end(thread);
    }
  }

  /** What is in each collection of a cluster's file that nobody has open. */
  async digests(directory: string, key: Uint8Array | undefined): Promise<readonly CollectionDigest[]> {
    const file = join(directory, FILE_NAME);
    if (!existsSync(file)) return [];
    const thread = this.#start({ digests: { file, key } });
    try {
      const answer = await thread.answer();
      return 'digests' in answer ? answer.digests : [];
    } finally {
      await this.#end(thread);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((thread) => thread.end('the host ends')));
  }

  #start(request: BackupRequest, signal?: AbortSignal): BackupThread {
    const thread: BackupThread = new AskedThread(ENTRY, request);
    this.#running.add(thread);
    signal?.addEventListener('abort', () => void thread.end('nobody wants it any more'), { once: true });
    return thread;
  }

  async #end(thread: BackupThread, folder?: string): Promise<void> {
    this.#running.delete(thread);
    await thread.end('it is done');
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function* piecesOf(thread: BackupThread): AsyncGenerator<Uint8Array> {
  for (;;) {
    const output = await thread.ask({ next: true });
    if (!('piece' in output)) return;
    yield output.piece;
  }
}

async function newFolder(directory: string): Promise<string> {
  const folder = temporaryName(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
