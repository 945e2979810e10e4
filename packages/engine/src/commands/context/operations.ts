import type { WireCaller } from '../../access/caller.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';
import type { Made } from '../../observe/observer.ts';
import type { CommandFacts } from './facts.ts';
import type { CommandRequest } from './request.ts';

/** What the requests of one cluster are at. */
export interface Operations {
  /** The one that asks. */
  readonly current: RunningOperation | undefined;
  /** All that have come and are not answered yet. */
  list(): RunningOperation[];
  /** Ends those for which `wanted` is true at their next check point, and with them what they have done. */
  kill(wanted: (operation: RunningOperation) => boolean, reason: ServerError): void;
}

export interface RunningOperation {
  /** Unique in its process for a long time. */
  readonly id: number;
  readonly caller: WireCaller;
  /** Monotonic machine time of its arrival, in milliseconds. */
  readonly arrived: number;
  /** `queued`: it has not had its turn; `waiting`: for data, for a lock or for a transaction of somebody else. */
  readonly state: 'queued' | 'running' | 'waiting';
  readonly command: CommandFacts | undefined;
  /** What it writes in a transaction stays in memory until that is committed. */
  readonly writes: boolean;
  /** Absent until it has been looked at. */
  readonly request: CommandRequest | undefined;
  /** How often others were run while it was at it. */
  readonly yields: number;
  /** Monotonic machine time at which it is ended; infinite where nobody has said. */
  deadline: number;
  /** Whatever was said, it is never ended for its time. */
  readonly untimed: boolean;
  /** The command that has opened the cursor which it reads. */
  originating?: RawDocument | undefined;
  /** Collections that it has made, whatever command it is. */
  made?: readonly Made[] | undefined;
  readonly killed: ServerError | undefined;
  kill(reason: ServerError): void;
}
