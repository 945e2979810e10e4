import { bsonTypes } from '../../../bson/bson-types.ts';
import { encodeKey } from '../../../bson/keys.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { isNumber, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';

/** What an `_id` may take as the id of a record. */
const MOST_BYTES = 8 * 1024 * 1024;

export function checkClusteredId(id: Value): void {
  // A key is at most a few bytes shorter than its value.
  if (id.end - id.start < MOST_BYTES / 2 || recordIdBytes(id) <= MOST_BYTES) return;
  throw new ServerError(
    5894900,
    `The size of the clustered index key exceeds the maximum of ${MOST_BYTES} bytes`,
  );
}

/** As the server counts: a text has its type and a NUL besides, binary data its type, subtype and length. */
function recordIdBytes(id: Value): number {
  const bytes = id.end - id.start;
  if (id.type === bsonTypes.string) return bytes - 5 + 2;
  if (id.type === bsonTypes.binData) return bytes - 5 + 7;
  return encodeKey(id).length;
}

/** Numbers that are none have errors of their own where they come a second time. */
export function duplicateClusteredId(id: Value): ServerError | undefined {
  if (!isNumber(id)) return undefined;
  const number = toNumber(id);
  if (Number.isNaN(number)) return new ServerError(50819, 'cannot convert NaN to a number of decimal digits');
  if (Number.isFinite(number)) return undefined;
  return new ServerError(50826, 'cannot convert infinity to a number of decimal digits');
}
