import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { converted, nested, required } from './field-builders.ts';
import { isUuidType, uuidBytes } from './uuid-value.ts';

/** The subtype of binary data follows four bytes of length. */
const SUBTYPE = 4;

const id = required({
  read(value: Value, name: string, within: string): string {
    const { type, bytes, start } = value;
    if (type !== bsonTypes.binData) {
      throw wrongType(`${within}.${name}`, `type '${typeName(type)}'`, 'binData');
    }
    if (!isUuidType(value)) {
      throw wrongType(`${within}.${name}`, `binData subtype '${bytes[start + SUBTYPE]}'`, 'UUID');
    }
    return Buffer.from(uuidBytes(value)).toString('hex');
  },
});

function wrongType(field: string, actual: string, expected: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `BSON field '${field}' is the wrong ${actual}, expected type '${expected}'`,
  );
}

/**
 * A session document, as the `id` in hexadecimal digits. Internal sessions of the server have the other fields.
 */
export const sessionId = converted(
  nested({ id, uid: 'any', txnNumber: 'any', txnUUID: 'any' }),
  (session) => session.id,
);
