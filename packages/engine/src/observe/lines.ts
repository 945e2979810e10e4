import { createHash } from 'node:crypto';
import type { AuditEvent, LogEvent } from './observer.ts';

/** Log lines in the reference server's formats. */

export function logLine(time: number, { s, c, id, ctx, msg, attr, truncated, size }: LogEvent): string {
  const entry = {
    t: { $date: new Date(time).toISOString().replace('Z', '+00:00') },
    s,
    c,
    id,
    ctx,
    msg,
    ...(attr === undefined ? {} : { attr }),
    ...(truncated === undefined ? {} : { truncated, size }),
  };
  return jsonOf(entry);
}

/** JSON as in log lines; undefined for a value without a JSON form. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? Number(each) : each));
}

export interface Endpoint {
  readonly ip: string;
  readonly port: number;
}

/** An audit message; `ts` is a date, so that filters can compare it. `local` is the member that was called. */
export function auditMessage(time: number, { atype, caller, param, result }: AuditEvent, local: Endpoint) {
  const { user, remote } = 'remote' in caller ? caller : { user: undefined, remote: undefined };
  return {
    atype,
    ts: new Date(time),
    uuid: { $binary: connectionUuid(caller), $type: '04' },
    local,
    remote: remote === undefined ? { isSystemUser: true } : endpointOf(remote),
    users: user === undefined ? [] : [{ user: user.username, db: user.database }],
    roles: user?.roles.map(({ role, database }) => ({ role, db: database })) ?? [],
    param,
    result,
  };
}

export function auditLine({ ts, ...message }: ReturnType<typeof auditMessage>): string {
  const { atype, ...rest } = message;
  return jsonOf({ atype, ts: { $date: ts.toISOString().replace('Z', '+00:00') }, ...rest });
}

/** Derived, so that it is the same for all messages of one connection, and for all of a member itself. */
function connectionUuid(caller: AuditEvent['caller']): string {
  const { member, connectionId, remote } = { connectionId: 0, remote: '', ...caller };
  return createHash('sha256')
    .update(`${member}\0${connectionId}\0${remote}`)
    .digest()
    .subarray(0, 16)
    .toString('base64');
}

/** Parses `192.0.2.1:50000`. */
export function endpointOf(remote: string): Endpoint {
  const colon = remote.lastIndexOf(':');
  return { ip: remote.slice(0, colon).replace(/^::ffff:/, ''), port: Number(remote.slice(colon + 1)) };
}
