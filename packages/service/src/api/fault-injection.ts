import type { Fault } from '@portolan/foundation/faults';

/**
 * The properties of a request that determine which declared fault applies to it. Operators declare faults to
 * test clients.
 */
export interface FaultTarget {
  /** The operation's id. */
  readonly operation: string;
  readonly tag: string;
  readonly params: Readonly<Record<string, string>>;
}

/** The declared fault that applies to a request. */
interface InjectedFault {
  /** Id of the declared fault; the response contains it. */
  readonly by: string;
  readonly delayMilliseconds: number;
  /** Whether to close the connection instead of responding, before or after the operation is performed. */
  readonly disconnect: 'BEFORE' | 'AFTER' | undefined;
  /** The error returned instead of the operation's response. */
  readonly fault: Fault | undefined;
}

/** Called for each request. If no fault is declared, returns undefined instead of a promise. */
export type InjectFault = (request: FaultTarget) => Promise<InjectedFault | undefined> | undefined;
