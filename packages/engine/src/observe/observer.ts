import type { WireCaller } from '../access/caller.ts';
import type { ObservedCommand, ObservedRequest } from './audited.ts';

/** Receives the events of a cluster for its logs. `lines.ts` defines the formats. */
export interface Observer {
  /** True if auditing is enabled. */
  readonly auditing: boolean;
  audit(event: AuditEvent): void;
  log(event: LogEvent): void;
  /** Reports the result of an authorization check. */
  checked(command: ObservedCommand, request: ObservedRequest, allowed: boolean): void;
  /** Records a client's request to rotate a log of a member. */
  rotate(member: string, log: 'audit' | 'server'): void;
  /** Returns the newest lines of a member's log, at most 1,024. `total` is the number of available lines. */
  newest(member: string, severities?: ReadonlySet<string>): { lines: string[]; total: number };
}

/** An event of the audit stream. `result` is 0 or the error code of the reply. */
export interface AuditEvent {
  readonly atype: string;
  readonly caller: WireCaller | SystemCaller;
  readonly param: object;
  readonly result: number;
}

/** A collection that an operation has created. `first` is true if the operation has also created the database. */
export interface CreatedCollection {
  readonly database: string;
  readonly name: string;
  readonly first: boolean;
}

/** The caller in events that the member itself has caused. */
interface SystemCaller {
  readonly member: string;
}

/** A line of a server log, without its time. */
export interface LogEvent {
  readonly member: string;
  /** The severity: information, warning or error. */
  readonly s: 'I' | 'W' | 'E';
  /** The component, such as `COMMAND`, `NETWORK` or `ACCESS`. */
  readonly c: string;
  readonly id: number;
  /** The thread or connection that logs, for example `conn12`. */
  readonly ctx: string;
  readonly msg: string;
  readonly attr?: object;
  /** The paths at which attributes were truncated, and the original sizes of the truncated values in bytes. */
  readonly truncated?: object;
  readonly size?: object;
}
