import type { WireCaller } from '../access/caller.ts';
import type { ObservedCommand, ObservedRequest } from './audited.ts';

/** What happens in a cluster, for its logs; see `lines.ts` for the forms in which it is kept. */
export interface Observer {
  /** Whether an audit stream is kept at all. */
  readonly auditing: boolean;
  audit(event: AuditEvent): void;
  log(event: LogEvent): void;
  /** Whether a caller may do what it asks for. */
  checked(command: ObservedCommand, request: ObservedRequest, allowed: boolean): void;
  /** Somebody asks for a new file of a member's log. */
  rotate(member: string, log: 'audit' | 'server'): void;
  /** The newest lines of a member's log, at most 1,024, and how many were ever written since it was opened. */
  newest(member: string, severities?: ReadonlySet<string>): { lines: string[]; total: number };
}

/** `result` is 0 or the code of the error that the caller was answered. */
export interface AuditEvent {
  readonly atype: string;
  readonly caller: WireCaller | SystemCaller;
  readonly param: object;
  readonly result: number;
}

/** A collection that an operation has made, whatever command it is; `first`: its database with it. */
export interface Made {
  readonly database: string;
  readonly name: string;
  readonly first: boolean;
}

/** A member itself, of its own accord. */
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
  /** Whose doing it is: `conn12`. */
  readonly ctx: string;
  readonly msg: string;
  readonly attr?: object;
  /** Of attributes that are cut: where, and how long they were in bytes. */
  readonly truncated?: object;
  readonly size?: object;
}
