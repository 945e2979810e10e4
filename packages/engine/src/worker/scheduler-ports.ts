import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { RunningStatement } from '../storage/model/running-statement.ts';
import type { OpenCluster } from './open-cluster.ts';
import type { Operation } from './operations.ts';

/** The ports of the thread, for use in the middle of a statement. */
export interface SchedulerPorts {
  /** Reads messages that have arrived: submits requests and reports closed connections. */
  receive(): void;
  /** Sends the finished replies. */
  send(): void;
}

export const noPorts: SchedulerPorts = { receive() {}, send() {} };

export interface SchedulerOptions {
  readonly machine: MachineClock;
  readonly log: Log;
  readonly clusters: ReadonlyMap<string, OpenCluster>;
  /** The statement that is running on this thread. */
  readonly running: RunningStatement;
  /** Called when an operation can continue without a new request. */
  readonly onRunnable: () => void;
  /** Called with the running operation whenever it changes. */
  readonly onOperation: (operation: Operation | undefined) => void;
  /** Lets other threads use the processor. */
  readonly yieldProcessor: () => void;
}
