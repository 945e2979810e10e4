import { hash } from 'node:crypto';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import type { WireUser } from '../../access/caller.ts';
import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { readInt32 } from '../../bson/bytes.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { isAbsent, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { uuidValue } from '../../storage/oplog/entry.ts';
import type { SessionKey } from '../context/sessions.ts';

const UUID_SUBTYPE = 4;
const UUID_BYTES = 16;

/**
 * The fields that a session document may have. Internal sessions of the server have `txnNumber` and
 * `txnUUID`.
 */
const known: ReadonlySet<string> = new Set(['id', 'uid', 'txnNumber', 'txnUUID']);

/**
 * Returns the `id` of a session document in hexadecimal digits. `name` is the name of the document in error messages.
 */
export function sessionIdOf(lsid: RawDocument, name: string): string {
  for (const field of lsid) {
    if (!known.has(field.name)) {
      throw new ServerError(40415, `BSON field '${name}.${field.name}' is an unknown field.`);
    }
  }
  const id = lsid.get('id');
  if (id === undefined || isAbsent(id)) {
    throw new ServerError(40414, `BSON field '${name}.id' is missing but a required field`);
  }
  if (id.type !== bsonTypes.binData) throw wrongType(name, `type '${typeName(id.type)}'`, 'binData');
  const subtype = id.bytes[id.start + 4];
  if (subtype !== UUID_SUBTYPE) throw wrongType(name, `binData subtype '${subtype}'`, 'UUID');
  if (readInt32(id.bytes, id.start) !== UUID_BYTES) {
    throw new ServerError('InvalidUUID', 'uuid must be a 16-byte binary field with UUID (4) subtype');
  }
  return Buffer.from(id.bytes.subarray(id.start + 5, id.end)).toString('hex');
}

function wrongType(name: string, actual: string, expected: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `BSON field '${name}.id' is the wrong ${actual}, expected type '${expected}'`,
  );
}

/** Returns the key of a session. Sessions of different users differ even if their ids are equal. */
export function sessionKey(id: string, user: WireUser | undefined): string {
  return `${id}/${user === undefined ? '' : `${user.database}.${user.username}`}`;
}

export function partsOf(key: string): SessionKey {
  const at = key.indexOf('/');
  return { id: key.slice(0, at), owner: key.slice(at + 1) };
}

/**
 * Maximum number of cached session ids, of about 100 bytes each. A connection of a driver usually writes in
 * one session.
 */
const MAX_LSIDS = 1_024;
const lsids = new BoundedCache<string, RawDocument>({ entries: MAX_LSIDS });

/**
 * Returns a session's `lsid` for oplog entries. It consists of the session's id and a digest of its owner's
 * name.
 */
export function lsidOf(key: string): RawDocument {
  return lsids.of(key, makeLsid);
}

function makeLsid(key: string): RawDocument {
  const { id, owner } = partsOf(key);
  return writeDocument((writer) => {
    writer.field('id', uuidValue(Buffer.from(id, 'hex')));
    writer.field('uid', binary(ownerDigest(owner)));
  });
}

/** Returns the digest of an owner in the form `database.username`. */
export function ownerDigest(owner: string): Uint8Array {
  const at = owner.indexOf('.');
  const name = owner === '' ? '' : `${owner.slice(at + 1)}@${owner.slice(0, at)}`;
  return hash('sha256', name, 'buffer');
}

function binary(bytes: Uint8Array): Value {
  const value = new Uint8Array(bytes.length + 5);
  new DataView(value.buffer).setInt32(0, bytes.length, true);
  value.set(bytes, 5);
  return new Value(bsonTypes.binData, value, 0, value.length);
}
