import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';
import type { MemoryUse } from '../../language/workspace.ts';
import type { CreatedCollection } from '../../observe/observer.ts';
import type { Progress } from '../../storage/model/running-statement.ts';
import type { CommandFacts } from './facts.ts';
import type { CommandRequest } from './request.ts';

/** The operations in progress on one cluster. */
export interface Operations {
  /** The operation that is running. */
  readonly current: RunningOperation | undefined;
  /** Returns all operations to which no reply has been sent yet. */
  list(): RunningOperation[];
  /** Kills matching operations at their next interruption check and rolls back their changes. */
  kill(wanted: (operation: RunningOperation) => boolean, reason: ServerError): void;
}

export interface RunningOperation {
  /** The id of the operation. The process does not assign the same id again for a long time. */
  readonly id: number;
  readonly caller: WireCaller;
  /** Monotonic machine time in milliseconds at which the request arrived. */
  readonly arrived: number;
  /** `queued`: the operation has not started. `waiting`: it waits for data, a lock or another transaction. */
  readonly state: 'queued' | 'running' | 'waiting';
  readonly command: CommandFacts | undefined;
  /**
   * True if the operation writes to the file. The writes of an open transaction do not count, because they
   * stay in memory until the commit.
   */
  readonly writes: boolean;
  /** The request. Undefined until it has been parsed. */
  readonly request: CommandRequest | undefined;
  /** Number of times that the operation has yielded to other operations. */
  readonly yields: number;
  /** Monotonic machine time at which the operation is killed. Infinite if there is no time limit. */
  deadline: number;
  /**
   * The memory that pipeline stages hold until they have returned all results. For a `getMore`, this is the memory of
   * its cursor. For other operations, it becomes the memory of the cursor that they open.
   */
  memory: MemoryUse;
  /** True if time limits do not apply. */
  readonly untimed: boolean;
  /** If the operation reads a cursor, the command that opened the cursor. */
  originating?: RawDocument | undefined;
  /** The collections that the operation has created. */
  created?: readonly CreatedCollection[] | undefined;
  /** Progress of an index build. */
  progress: Progress | undefined;
  readonly killed: ServerError | undefined;
  kill(reason: ServerError): void;
}
