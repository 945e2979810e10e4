import { Fault } from '@portolan/foundation/faults';
import { StoreError } from '../store/index.ts';

/** Of the disk itself; the engine host tells of it in words. */
const CODES = new Set(['ENOSPC', 'EDQUOT']);
const WORDS = /ENOSPC|EDQUOT|disk is full/;

/** What meets a full disk fails as the store does there: the caller may try again once there is room. */
export async function asFullDisk<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault || error instanceof StoreError || !(error instanceof Error)) throw error;
    if (!CODES.has(String((error as NodeJS.ErrnoException).code)) && !WORDS.test(error.message)) throw error;
    throw new StoreError('full', `The disk with ${dataDirectory} is full`, { cause: error });
  }
}
