import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bytes } from '../../call.ts';
import type { SnapshotEnd } from '../../snapshot.ts';
import { FILE_NAME } from '../storage/format.ts';
import { temporaryName } from '../storage/temporary-file.ts';
import type { BackupInput, BackupOutput, BackupRequest } from './backup-thread.ts';
import { entryPoint } from './entry-point.ts';
import { HostThread } from './host-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './backup-thread');

/** Takes snapshots and writes them into files, each in a thread and a folder of its own. */
export class Backups {
  readonly #running = new Set<BackupThread>();

  /** The frames of a snapshot of the cluster in `directory`. */
  async *take(directory: string, known: readonly string[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const folder = await newFolder(directory);
    const thread = this.#start({ take: { directory, folder, known } }, signal);
    try {
      for (;;) {
        const output = await thread.ask({ next: true });
        if (!('piece' in output)) return;
        yield output.piece;
      }
    } finally {
      await this.#end(thread, folder);
    }
  }

  /** Writes one into a file beside that of the cluster, and hands it over: it is removed when `use` is done. */
  async stage<T>(
    directory: string,
    bytes: Bytes,
    signal: AbortSignal,
    use: (file: string, end: SnapshotEnd) => Promise<T>,
  ): Promise<T> {
    const folder = await newFolder(directory);
    const file = join(folder, FILE_NAME);
    const thread = this.#start({ stage: { file } }, signal);
    try {
      return await use(file, await fill(thread, bytes));
    } finally {
      await this.#end(thread, folder);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((thread) => thread.end('the host ends')));
  }

  #start(request: BackupRequest, signal: AbortSignal): BackupThread {
    const thread = new BackupThread(request);
    this.#running.add(thread);
    signal.addEventListener('abort', () => void thread.end('nobody wants it any more'), { once: true });
    return thread;
  }

  async #end(thread: BackupThread, folder: string): Promise<void> {
    this.#running.delete(thread);
    await thread.end('it is done');
    await rm(folder, { recursive: true, force: true });
  }
}

async function newFolder(directory: string): Promise<string> {
  const folder = temporaryName(directory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function fill(thread: BackupThread, bytes: Bytes): Promise<SnapshotEnd> {
  let wanted = await thread.answer();
  for await (const piece of bytes) {
    if (!('next' in wanted)) break;
    wanted = await thread.ask({ piece });
  }
  const last = 'next' in wanted ? await thread.ask({ end: true }) : wanted;
  if (!('done' in last) || last.done === undefined) throw new Error('the snapshot has no end');
  return last.done;
}

/** One question at a time, one answer to each. */
class BackupThread {
  readonly #thread: HostThread<BackupOutput>;
  #waiting: PromiseWithResolvers<BackupOutput> | undefined;
  /** An answer that nobody waits for yet. */
  #unread: BackupOutput | undefined;
  #ended: string | undefined;

  constructor(request: BackupRequest) {
    this.#thread = new HostThread<BackupOutput>(ENTRY, request, {
      message: (output) => {
        if (this.#waiting === undefined) this.#unread = output;
        this.#waiting?.resolve(output);
        this.#waiting = undefined;
      },
      gone: (reason) => this.#fail(reason),
    });
  }

  ask(input: BackupInput): Promise<BackupOutput> {
    this.#thread.post(input);
    return this.answer();
  }

  async answer(): Promise<BackupOutput> {
    const output = this.#unread ?? (await this.#next());
    this.#unread = undefined;
    if ('error' in output) throw new Error(output.error);
    return output;
  }

  async end(reason: string): Promise<void> {
    this.#fail(reason);
    await this.#thread.end();
  }

  #next(): Promise<BackupOutput> {
    if (this.#ended !== undefined) throw new Error(this.#ended);
    this.#waiting = Promise.withResolvers<BackupOutput>();
    return this.#waiting.promise;
  }

  #fail(reason: string): void {
    this.#ended ??= reason;
    this.#waiting?.reject(new Error(this.#ended));
    this.#waiting = undefined;
  }
}
