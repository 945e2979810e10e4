import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from '../storage/file/check-file.ts';
import { lowerPriority } from './low-priority.ts';

export interface CheckRequest {
  readonly file: string;
  readonly key: Uint8Array | undefined;
  /** True if no deployment uses the file. */
  readonly closed: boolean;
}

/** The result of a thread that has checked a file. */
export interface CheckAnswer {
  readonly fault: string | undefined;
}

const { file, key, closed } = workerData as CheckRequest;
lowerPriority();
parentPort?.postMessage({ fault: checkFile(file, key, { closed }) } satisfies CheckAnswer);
