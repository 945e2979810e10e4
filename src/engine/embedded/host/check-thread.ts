import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { checkFile } from '../storage/check-file.ts';

/** What the thread that checks one file says when it has ended. */
export interface CheckAnswer {
  readonly fault: string | undefined;
}

// On Linux this is the priority of the calling thread alone; elsewhere it would be that of all clusters.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
parentPort?.postMessage({ fault: checkFile(workerData.file) } satisfies CheckAnswer);
