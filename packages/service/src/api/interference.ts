import type { Fault } from '@portolan/foundation/faults';

/** A request that passed every check which comes before its body. */
export interface RequestToMeet {
  /** The operation's id. */
  readonly operation: string;
  readonly tag: string;
  readonly params: Readonly<Record<string, string>>;
}

/** What stands in the way of one request, because the operator wants it so. */
interface Obstacle {
  /** The id of what was declared; the answer names it. */
  readonly by: string;
  readonly delayMilliseconds: number;
  /** Cuts the connection before the operation is done, or after it, in the place of an answer. */
  readonly disconnect: 'BEFORE' | 'AFTER' | undefined;
  /** The answer, in the place of the operation's. */
  readonly fault: Fault | undefined;
}

/** Asked for each request; answers nothing at once where nothing is declared. */
export type Interfere = (request: RequestToMeet) => Promise<Obstacle | undefined> | undefined;
