import { Binary } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';

/** Offsets in a BSON binary value: four bytes of length, the subtype, the contents. */
const SUBTYPE = 4;
const CONTENTS = 5;

/** True for binary data of the subtype UUID and of any length. */
export function isUuidType({ type, bytes, start }: Value): boolean {
  return type === bsonTypes.binData && bytes[start + SUBTYPE] === Binary.SUBTYPE_UUID;
}

/** Throws if binary data is not a UUID. */
export function checkIsUuid({ bytes, start, end }: Value): void {
  if (bytes[start + SUBTYPE] === Binary.SUBTYPE_UUID && end - start - CONTENTS === 16) return;
  throw new ServerError('InvalidUUID', 'uuid must be a 16-byte binary field with UUID (4) subtype');
}

/** Returns the contents of a UUID. Throws if binary data is not a UUID. */
export function uuidBytes(value: Value): Uint8Array {
  checkIsUuid(value);
  return value.bytes.subarray(value.start + CONTENTS, value.end);
}
