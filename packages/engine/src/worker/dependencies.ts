import type { MachineClock, ServiceClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import type { Observation } from '../observe/observation.ts';
import type { TransactionMemory } from '../storage/transactions/transaction-memory.ts';
import type { OwnUsers } from './protocol.ts';

/** The dependencies of a query worker. */
export interface WorkerDependencies {
  readonly machine: MachineClock;
  readonly service: ServiceClock;
  readonly random: Random;
  readonly log: Log;
  /** The memory of a statement's intermediate results. */
  readonly statementBytes?: number;
  /** Collects the garbage of the thread; called when none of its clusters has been used for a while. */
  collect?(): void;
  /** Absent: that of the thread. */
  readonly transactionMemory?: TransactionMemory;
  /** Receives the users created by commands, when a cluster opens and on every change. */
  publish?(accounts: OwnUsers): void;
  /** Keeps a member from being elected for so many seconds. */
  withhold?(clusterId: string, member: string, seconds: number): void;
  /** Is told of damage in the file of a cluster. */
  damaged?(clusterId: string, fault: string): void;
  /** Starts following the data of a cluster for its search indexes. */
  follow?(clusterId: string): void;
  /** Receives log lines and profiles of a cluster. */
  observe?(clusterId: string, observation: Observation): void;
}
