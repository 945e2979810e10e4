import { hash } from 'node:crypto';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { loggedIn, type WireUser } from '../../access/caller.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { Value } from '../../bson/value.ts';
import { uuidValue } from '../../storage/oplog/entry.ts';
import type { SessionKey } from '../context/sessions.ts';

/** Returns the key of a session. Sessions of different users differ even if their ids are equal. */
export function sessionKey(id: string, caller: WireUser | undefined): string {
  const user = caller && loggedIn({ user: caller });
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
  return hash('sha256', displayNameOf(owner), 'buffer');
}

/** Returns the name of an owner in the form `username@database`, or an empty text if a session has no owner. */
export function displayNameOf(owner: string): string {
  const at = owner.indexOf('.');
  return owner === '' ? '' : `${owner.slice(at + 1)}@${owner.slice(0, at)}`;
}

function binary(bytes: Uint8Array): Value {
  const value = new Uint8Array(bytes.length + 5);
  new DataView(value.buffer).setInt32(0, bytes.length, true);
  value.set(bytes, 5);
  return new Value(bsonTypes.binData, value, 0, value.length);
}
