import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Observation } from '../observe/observation.ts';
import type { TransactionMemory } from '../storage/transactions/transaction-memory.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { CursorBudget } from './cursor-budget.ts';
import type { OwnUsers } from './protocol.ts';

/** The dependencies of a query thread. */
export interface WorkerDependencies {
  readonly machine: MachineClock;
  readonly service: ServiceClock;
  readonly random: Random;
  readonly log: Log;
  /** Memory limit for the intermediate results of a statement, in bytes. */
  readonly statementBytes?: number;
  /** Collects garbage in the thread. Called when its clusters have hardly been used for a while. */
  collect?(): void;
  /** Returns the CPU time of the thread in milliseconds. By default, the system measures it. */
  readonly workedMs?: () => number;
  /** Receives a description of the running statement (`description.ts`) whenever another statement runs. */
  describe?(statement: string): void;
  /** Lets other threads use the processor. Called again and again while a long statement runs. */
  yieldProcessor?(): void;
  /** Checkpoints the files in another thread. Without it, commits checkpoint the files. */
  readonly checkpoints?: Pick<Checkpoints, 'limits' | 'run' | 'running'>;
  /** The memory limits of transactions. By default, the limits of the thread apply. */
  readonly transactionMemory?: TransactionMemory;
  /** The memory limits of cursors. By default, the limits of the thread apply. */
  readonly cursorBudget?: CursorBudget;
  /** Receives the users that commands created, when a cluster opens and after each change. */
  publish?(accounts: OwnUsers): void;
  /** Excludes a member from elections for `seconds`. */
  withhold?(clusterId: string, member: string, seconds: number): void;
  /** Called when damage is found in the file of a cluster. */
  damaged?(clusterId: string, fault: string): void;
  /** Starts updating the search indexes of a cluster. */
  follow?(clusterId: string): void;
  /** Receives the log lines and the profiler entries of a cluster. */
  observe?(clusterId: string, observation: Observation): void;
}
