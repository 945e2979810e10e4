import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';
import type { CreatedCollection } from '../../observe/observer.ts';
import type { Progress } from '../../storage/model/running-statement.ts';
import type { CommandFacts } from './facts.ts';
import type { CommandRequest } from './request.ts';

/** The operations in progress on one cluster. */
export interface Operations {
  /** The operation that is running. */
  readonly current: RunningOperation | undefined;
  /** Returns all operations without a reply yet. */
  list(): RunningOperation[];
  /** Kills matching operations at their next interruption check and rolls back their changes. */
  kill(wanted: (operation: RunningOperation) => boolean, reason: ServerError): void;
}

export interface RunningOperation {
  /** The id of the operation, which the process does not reuse for a long time. */
  readonly id: number;
  readonly caller: WireCaller;
  /** Monotonic machine time at which the request arrived, in milliseconds. */
  readonly arrived: number;
  /** `queued`: the operation has not started. `waiting`: it waits for data, a lock or another transaction. */
  readonly state: 'queued' | 'running' | 'waiting';
  readonly command: CommandFacts | undefined;
  /** True if the operation writes to storage; uncommitted writes of a transaction stay in memory and do not count. */
  readonly writes: boolean;
  /** The request; undefined until it has been parsed. */
  readonly request: CommandRequest | undefined;
  /** Number of times that the operation has yielded to other operations. */
  readonly yields: number;
  /** Monotonic machine time at which the operation is killed; infinite without a limit. */
  deadline: number;
  /** True if time limits do not apply. */
  readonly untimed: boolean;
  /** If the operation reads a cursor, the command that opened the cursor. */
  originating?: RawDocument | undefined;
  /** The collections that the operation has created. */
  created?: readonly CreatedCollection[] | undefined;
  /** How far the build of an index is. */
  progress: Progress | undefined;
  readonly killed: ServerError | undefined;
  kill(reason: ServerError): void;
}
