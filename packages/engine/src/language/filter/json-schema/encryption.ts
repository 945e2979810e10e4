import { bsonTypes } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { type Element, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { parseTypes } from '../type-set.ts';
import { mismatch, refuseBoth, wrong } from './operands.ts';
import type { KeywordTable } from './schema.ts';

/** Keywords for client-side encryption. `encryptMetadata` only informs clients. */
export const encryptionKeywords: KeywordTable = {
  encrypt: (operand, context) => {
    refuseForbidden(context.encryption);
    refuseBoth('encrypt', 'encryptMetadata', context.sibling);
    if (operand.type !== bsonTypes.object) throw mismatch('encrypt', 'an object');
    const spec = checked(documentOf(operand), 'encrypt', encryptFields);
    const bsonType = spec.get('bsonType');
    const types = bsonType && parseTypes(bsonType, "$jsonSchema keyword 'encrypt.bsonType'");
    return (value) => isEncrypted(value) && (types === undefined || types.has(originalType(value)));
  },
  encryptMetadata: (operand, { encryption }) => {
    refuseForbidden(encryption);
    if (operand.type !== bsonTypes.object) throw mismatch('encryptMetadata', 'an object');
    const spec = documentOf(operand);
    if (spec.isEmpty) throw wrong('encryptMetadata', 'cannot be an empty object');
    checked(spec, 'encryptMetadata', metadataFields);
    return () => true;
  },
};

function refuseForbidden(encryption: boolean): void {
  if (encryption) return;
  throw new ServerError(
    'QueryFeatureNotAllowed',
    'Encryption-related validator keywords are not allowed in this context',
  );
}

const algorithms: ReadonlySet<string> = new Set([
  'AEAD_AES_256_CBC_HMAC_SHA_512-Deterministic',
  'AEAD_AES_256_CBC_HMAC_SHA_512-Random',
]);

type CheckField = (field: Element, path: string) => void;

const metadataFields: Readonly<Record<string, CheckField>> = {
  algorithm: (field, path) => {
    if (field.type !== bsonTypes.string) throw wrongType(path, 'a string');
    if (algorithms.has(textOf(field))) return;
    throw new ServerError(
      'BadValue',
      `Enumeration value '${textOf(field)}' for field '${path}' is not a valid value.`,
    );
  },
  keyId: (field, path) => {
    if (field.type === bsonTypes.array || field.type === bsonTypes.string) return;
    throw new ServerError(51085, `'${path}' must be an array or a JSON pointer`);
  },
};

const encryptFields = { ...metadataFields, bsonType: () => {} };

function checked(
  spec: RawDocument,
  keyword: string,
  fields: Readonly<Record<string, CheckField>>,
): RawDocument {
  for (const field of spec) {
    const path = `${keyword}.${field.name}`;
    if (!Object.hasOwn(fields, field.name)) {
      throw new ServerError('IDLUnknownField', `BSON field '${path}' is an unknown field.`);
    }
    fields[field.name]?.(field, path);
  }
  return spec;
}

function wrongType(path: string, expected: string): ServerError {
  return new ServerError('TypeMismatch', `'${path}' must be ${expected}`);
}

/** The subtype of encrypted binary values. */
const ENCRYPTED = 6;
/** Where the subtype and the content of a binary value start. */
const SUBTYPE_AT = 4;
const CONTENT_AT = 5;
/** Where the content has the type of the plain value: after the kind and the key's UUID. */
const TYPE_AT = 17;

export function isEncrypted({ type, bytes, start }: Value): boolean {
  return type === bsonTypes.binData && bytes[start + SUBTYPE_AT] === ENCRYPTED;
}

/** Returns the type of the plain value, or -1 if an encrypted value is too short to tell. */
function originalType({ bytes, start, end }: Value): number {
  const at = start + CONTENT_AT + TYPE_AT;
  return at < end ? (bytes[at] as number) : -1;
}
