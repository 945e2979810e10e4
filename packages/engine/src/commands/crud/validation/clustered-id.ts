import { bsonTypes } from '../../../bson/bson-types.ts';
import { encodeKey } from '../../../bson/keys.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { isNumber, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/** Maximum size of the record id in a clustered collection, in bytes. */
const MAX_RECORD_ID_BYTES = 8 * 1024 * 1024;

export function checkClusteredId(id: Value): void {
  // A key is at most a little longer than its value. Compute its exact size only if the value exceeds half of the
  // limit.
  if (id.end - id.start < MAX_RECORD_ID_BYTES / 2 || recordIdBytes(id) <= MAX_RECORD_ID_BYTES) return;
  throw new ServerError(
    5894900,
    `The size of the clustered index key exceeds the maximum of ${MAX_RECORD_ID_BYTES} bytes`,
  );
}

/**
 * Returns the size of a record id as the server computes it. The size of a string includes the type and the NUL. The
 * size of binary data includes the type, the subtype and the length.
 */
function recordIdBytes(id: Value): number {
  const bytes = id.end - id.start;
  if (id.type === bsonTypes.string) return bytes - 5 + 2;
  if (id.type === bsonTypes.binData) return bytes - 5 + 7;
  return encodeKey(id).length;
}

/**
 * Returns the error for a duplicate `_id` that is NaN or infinite. The server has a separate error code for
 * it.
 */
export function duplicateClusteredId(id: Value): ServerError | undefined {
  if (!isNumber(id)) return undefined;
  const number = toNumber(id);
  if (Number.isNaN(number)) return new ServerError(50819, 'cannot convert NaN to a number of decimal digits');
  if (Number.isFinite(number)) return undefined;
  return new ServerError(50826, 'cannot convert infinity to a number of decimal digits');
}
