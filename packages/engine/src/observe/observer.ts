import type { WireCaller } from '../access/caller.ts';
import type { ObservedCommand, ObservedRequest } from './audited.ts';

/** Receives the events of a cluster for its logs; `lines.ts` has the formats. */
export interface Observer {
  /** Whether auditing is enabled. */
  readonly auditing: boolean;
  audit(event: AuditEvent): void;
  log(event: LogEvent): void;
  /** Reports the result of an authorization check. */
  checked(command: ObservedCommand, request: ObservedRequest, allowed: boolean): void;
  /** A client requests rotation of a member's log. */
  rotate(member: string, log: 'audit' | 'server'): void;
  /** The newest lines of a member's log, at most 1,024, and the total number of lines that were available. */
  newest(member: string, severities?: ReadonlySet<string>): { lines: string[]; total: number };
}

/** `result` is 0 or the error code of the reply. */
export interface AuditEvent {
  readonly atype: string;
  readonly caller: WireCaller | SystemCaller;
  readonly param: object;
  readonly result: number;
}

/** A collection that an operation has created; `first`: its database was created with it. */
export interface CreatedCollection {
  readonly database: string;
  readonly name: string;
  readonly first: boolean;
}

/** A member acting by itself. */
interface SystemCaller {
  readonly member: string;
}

/** One line of a server log, without its time. */
export interface LogEvent {
  readonly member: string;
  /** Severity: information, warning, error. */
  readonly s: 'I' | 'W' | 'E';
  /** The component: `COMMAND`, `NETWORK`, `ACCESS`, … */
  readonly c: string;
  readonly id: number;
  /** The thread or connection that logs: `conn12`. */
  readonly ctx: string;
  readonly msg: string;
  readonly attr?: object;
  /** For truncated attributes: the paths where they were cut, and their original size in bytes. */
  readonly truncated?: object;
  readonly size?: object;
}
