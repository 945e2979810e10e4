import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from '../storage/file/check-file.ts';
import { lowerPriority } from './low-priority.ts';

/** The result of the thread that checks one file. */
export interface CheckAnswer {
  readonly fault: string | undefined;
}

lowerPriority();
parentPort?.postMessage({ fault: checkFile(workerData.file, workerData.key) } satisfies CheckAnswer);
