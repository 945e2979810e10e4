import { Fault } from '@portolan/foundation/faults';
import { StoreError } from '../store/index.ts';

/** Error codes of the operating system for a full disk. Errors from the engine host have only a message. */
const CODES = new Set(['ENOSPC', 'EDQUOT']);
const WORDS = /ENOSPC|EDQUOT|disk is full/;

/**
 * Runs `work`. If the disk is full, throws the error `full` of the store, so that the caller can retry when there is
 * space.
 */
export async function reportFullDisk<T>(dataDirectory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault || error instanceof StoreError || !(error instanceof Error)) throw error;
    if (!CODES.has(String((error as NodeJS.ErrnoException).code)) && !WORDS.test(error.message)) throw error;
    throw new StoreError('full', `The disk with ${dataDirectory} is full`, { cause: error });
  }
}
