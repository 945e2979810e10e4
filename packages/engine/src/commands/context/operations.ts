import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';
import type { CreatedCollection } from '../../observe/observer.ts';
import type { CommandFacts } from './facts.ts';
import type { CommandRequest } from './request.ts';

/** The requests in progress on one cluster. */
export interface Operations {
  /** The one that is running. */
  readonly current: RunningOperation | undefined;
  /** All requests that have not been answered. */
  list(): RunningOperation[];
  /** Kills matching operations at their next interruption check, and rolls back their changes. */
  kill(wanted: (operation: RunningOperation) => boolean, reason: ServerError): void;
}

export interface RunningOperation {
  /** Unique in its process for a long time. */
  readonly id: number;
  readonly caller: WireCaller;
  /** Monotonic machine time of its arrival, in milliseconds. */
  readonly arrived: number;
  /** `queued`: not started; `waiting`: for data, a lock or another transaction. */
  readonly state: 'queued' | 'running' | 'waiting';
  readonly command: CommandFacts | undefined;
  /** Uncommitted writes of a transaction stay in memory. */
  readonly writes: boolean;
  /** Absent until the request has been parsed. */
  readonly request: CommandRequest | undefined;
  /** How often the operation let other operations run. */
  readonly yields: number;
  /** Monotonic machine time at which it is killed; infinite without a limit. */
  deadline: number;
  /** Exempt from time limits. */
  readonly untimed: boolean;
  /** The command that opened the cursor that it reads. */
  originating?: RawDocument | undefined;
  /** Collections that the operation has created implicitly or explicitly. */
  created?: readonly CreatedCollection[] | undefined;
  readonly killed: ServerError | undefined;
  kill(reason: ServerError): void;
}
