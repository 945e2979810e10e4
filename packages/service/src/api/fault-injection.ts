import type { Fault } from '@portolan/foundation/faults';

/** The request for which a declared fault is looked up. */
export interface FaultTarget {
  /** The operation's id. */
  readonly operation: string;
  readonly tag: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The declared fault that applies to a request. */
interface InjectedFault {
  /** Id of the declared fault; the response names it. */
  readonly by: string;
  readonly delayMilliseconds: number;
  /** Closes the connection before the operation is performed, or after it, instead of a response. */
  readonly disconnect: 'BEFORE' | 'AFTER' | undefined;
  /** The error returned instead of the operation's response. */
  readonly fault: Fault | undefined;
}

/** Called for each request; returns undefined synchronously if no fault is declared. */
export type InjectFault = (request: FaultTarget) => Promise<InjectedFault | undefined> | undefined;
