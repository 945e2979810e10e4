import { RpcWorker } from '@portolan/engine/management';
import { entryPoint } from '@portolan/foundation/entry-point';
import type { ObjectStore } from '../../objects/object-store.ts';
import { filterOf } from './criteria.ts';
import { type ArchivedCollection, hasAny } from './documents.ts';
import type { Answer, MoveRequest, Wanted } from './move-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './move-thread');
/** The memory of the thread. A batch takes up to some hundred megabytes. */
const LIMITS = { maxOldGenerationSizeMb: 1024 };

interface Moving {
  readonly bucket: Pick<ObjectStore, 'put'>;
  /** Whether the run still goes on. Called before each batch. */
  goesOn(): Promise<boolean>;
}

/**
 * Moves the documents of a collection into files. A thread converts the documents, because the conversion of a batch of
 * 16 MB takes several seconds, during which the service would answer no request. This thread only passes on the
 * commands, the replies and the files. Starts no thread if no document matches the criteria.
 */
export async function moveDocuments(
  at: ArchivedCollection<'run' | 'runAs'>,
  request: Omit<MoveRequest, 'clusterId' | 'database' | 'collection'>,
  moving: Moving,
): Promise<void> {
  if (!(await moving.goesOn())) return;
  if (!(await hasAny(at, filterOf(request.criteria, request.now)))) return;
  const { engine, ...collection } = at;
  const answerTo = async (wanted: Exclude<Wanted, { done: true }>): Promise<Answer> => {
    if ('goesOn' in wanted) return { goesOn: await moving.goesOn() };
    if ('key' in wanted) {
      await moving.bucket.put(wanted.key, Buffer.from(wanted.content.buffer));
      return { written: true };
    }
    return { reply: await engine.runAs(at.clusterId, wanted.user, wanted.command) };
  };
  const data: MoveRequest = { ...request, ...collection };
  const thread = new RpcWorker<Answer, Wanted>(ENTRY, data, LIMITS);
  try {
    for (let wanted = await thread.reply(); !('done' in wanted); )
      wanted = await thread.request(await answerTo(wanted));
  } finally {
    await thread.end('the run of the online archive has ended');
  }
}
