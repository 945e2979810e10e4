import { createHash } from 'node:crypto';
import { Binary } from 'bson';
import { encodeDocument } from '../bson/encode.ts';
import { relaxedJson, relaxedJsonOf } from '../bson/extended-json.ts';
import { RawDocument } from '../bson/raw.ts';
import { date, type Value } from '../bson/value.ts';
import type { SentAudit, SentLog } from './sent-events.ts';

/** Creates log lines in the format of the server, which is relaxed Extended JSON. */

export function logLine(time: number, { attr, ...event }: SentLog): string {
  const { s, c, id, ctx, msg, truncated, size } = event;
  const entry = {
    t: timeValue(time),
    s,
    c,
    id,
    ctx,
    msg,
    attr: attr && new RawDocument(attr),
    ...(truncated === undefined ? {} : { truncated, size }),
  };
  return relaxedJson(new RawDocument(encodeDocument(entry)));
}

const timeValue = (time: number) => date(BigInt(Math.trunc(time)));

export interface Endpoint {
  readonly ip: string;
  readonly port: number;
}

/** Creates an audit message in the form that filters receive. `local` is the member to which the request was sent. */
export function auditMessage(
  time: number,
  { atype, caller, param, truncated, result }: SentAudit,
  local: Endpoint,
): RawDocument {
  const { user, remote } = 'remote' in caller ? caller : { user: undefined, remote: undefined };
  const message = {
    atype,
    ts: timeValue(time),
    uuid: connectionUuid(caller),
    local,
    remote: remote === undefined ? { isSystemUser: true } : endpointOf(remote),
    users: user === undefined ? [] : [{ user: user.username, db: user.database }],
    roles: user?.roles.map(({ role, database }) => ({ role, db: database })) ?? [],
    param: new RawDocument(param),
    ...(truncated === undefined ? {} : { truncated }),
    result,
  };
  return new RawDocument(encodeDocument(message));
}

export function auditLine(message: RawDocument): string {
  const fields = Array.from(message, (field) => {
    const isUuid = field.name === 'uuid';
    return `${JSON.stringify(field.name)}:${isUuid ? uuidText(field) : relaxedJsonOf(field)}`;
  });
  return `{${fields.join(',')}}`;
}

/**
 * Derives a UUID from a connection. All audit messages of a connection contain the same UUID. Actions of the member
 * itself have a UUID of their own.
 */
function connectionUuid(caller: SentAudit['caller']): Binary {
  const { member, connectionId, remote } = { connectionId: 0, remote: '', ...caller };
  const digest = createHash('sha256').update(`${member}\0${connectionId}\0${remote}`).digest();
  return new Binary(digest.subarray(0, 16), Binary.SUBTYPE_UUID);
}

/** Splits an address such as `192.0.2.1:50000` into the host and the port. */
export function endpointOf(remote: string): Endpoint {
  const colon = remote.lastIndexOf(':');
  return { ip: remote.slice(0, colon).replace(/^::ffff:/, ''), port: Number(remote.slice(colon + 1)) };
}

/** Returns a UUID in Extended JSON v1. The server uses this older format for UUIDs in audit messages. */
function uuidText({ bytes, start, end }: Value): string {
  // Skip the length and the subtype.
  const base64 = Buffer.from(bytes.subarray(start + 5, end)).toString('base64');
  return `{"$binary":"${base64}","$type":"04"}`;
}
