import { parentPort, workerData } from 'node:worker_threads';
import { reply, replyFailure } from '@portolan/engine/management';
import { serialize } from 'bson';
import { filterOf } from './criteria.ts';
import { type ArchivedCollection, deleteUnchanged, nextBatch } from './documents.ts';
import type { Criteria } from './schema.ts';
import { writeFile } from './write-file.ts';

/** This file is the thread that moves the documents of one run of an archive. `move.ts` starts it. */

export interface MoveRequest {
  readonly clusterId: string;
  readonly database: string;
  readonly collection: string;
  readonly criteria: Criteria;
  /** The folder for the files. It ends with a slash. */
  readonly folder: string;
  readonly now: Date;
}

type RunAs = ArchivedCollection<'runAs'>['engine']['runAs'];

/** What the thread wants. It waits for the answer. */
export type Wanted =
  | { readonly goesOn: true }
  | { readonly user: Parameters<RunAs>[1]; readonly command: Uint8Array }
  | { readonly key: string; readonly content: Uint8Array<ArrayBuffer> }
  | { readonly done: true };

export type Answer =
  | { readonly goesOn: boolean }
  | { readonly reply: Uint8Array }
  | { readonly written: true };

/**
 * Maximum number of documents that a run skips, because they keep changing or cannot be archived. When it is reached,
 * the run ends. A higher number would make the command that excludes these documents too large.
 */
const MAX_SKIPPED = 1000;

/** Sends a wish to the other thread, and waits for the answer. */
function ask<A extends Answer>(wanted: Wanted): Promise<A> {
  const answer = new Promise<A>((resolve) => parentPort?.once('message', resolve));
  reply(wanted);
  return answer;
}

const engine = {
  runAs: async (_: string, user: Parameters<RunAs>[1], command: Parameters<RunAs>[2]) => {
    const answer = await ask<{ reply: Uint8Array }>({ user, command: serialize(command) });
    return answer.reply;
  },
};

const bucket = {
  async put(key: string, content: Uint8Array): Promise<void> {
    await ask({ key, content: Uint8Array.from(content) });
  },
};

async function move({ criteria, folder, now, ...at }: MoveRequest): Promise<void> {
  const collection = { ...at, engine };
  const filter = filterOf(criteria, now);
  const skipped: unknown[] = [];
  while (skipped.length < MAX_SKIPPED && (await ask<{ goesOn: boolean }>({ goesOn: true })).goesOn) {
    const { found, remaining } = await nextBatch(collection, filter, skipped);
    if (found.length + remaining.length === 0) return;
    skipped.push(...remaining);
    if (found.length === 0) continue;
    const lines = found.map(({ line }) => line);
    await writeFile(bucket, folder, lines, now);
    skipped.push(...(await deleteUnchanged(collection, found)));
  }
}

move(workerData as MoveRequest)
  .then(() => reply({ done: true } satisfies Wanted))
  .catch(replyFailure);
