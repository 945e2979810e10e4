import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { dropLeftovers } from '../storage/file/leftovers.ts';
import type { LogWork } from '../storage/file/write-ahead-log.ts';
import type { ClusterFiles } from './protocol.ts';

/**
 * This file is the thread that checkpoints the write-ahead logs of the clusters of a query thread, and drops large
 * tables. `checkpoints.ts` starts it. A passive checkpoint blocks neither readers nor the writer.
 */

export interface CheckpointRequest extends LogWork {
  readonly clusterId: string;
  readonly files: ClusterFiles;
}

/** The reply. It is sent to the port in `workerData` when the thread has closed the file of the cluster. */
export interface CheckpointEnd {
  readonly clusterId: string;
}

function run({ files: { dir, key, unsynced }, dropsTables }: CheckpointRequest): void {
  const connection = new Connection(join(dir, FILE_NAME), { key });
  try {
    // With `FULL`, the checkpoint syncs the WAL before it copies pages, and then syncs the file.
    connection.exec(`PRAGMA synchronous = ${unsynced ? 'OFF' : 'FULL'}`);
    if (dropsTables) dropLeftovers(connection);
    connection.get('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    connection.close();
  }
}

parentPort?.on('message', (request: CheckpointRequest) => {
  try {
    run(request);
  } catch {
    // Ignore the error. The pages stay in the WAL, and the tables in the file until it is opened again. If the file is
    // damaged, a statement of the cluster will report this.
  }
  (workerData as MessagePort).postMessage({ clusterId: request.clusterId } satisfies CheckpointEnd);
});
