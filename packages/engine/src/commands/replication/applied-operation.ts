import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type RequiredType, wrongType } from '../shared/fields.ts';

/** An operation in the format of an oplog entry. */
export interface AppliedOperation {
  readonly op: string;
  readonly ns: string;
  readonly o: RawDocument;
  readonly o2: RawDocument | undefined;
  /** The expected UUID of the collection. */
  readonly ui: Value | undefined;
}

/** Parses and validates all operations, before any is applied. */
export const appliedOperations: RequiredType<readonly AppliedOperation[]> = {
  readsNull: true,
  missing: () => new ServerError(40414, "BSON field 'applyOps.applyOps' is missing but a required field"),
  read(value) {
    if (value.type !== bsonTypes.array) throw wrongType(value, 'applyOps.applyOps', ['array']);
    return [...documentOf(value)].map((entry) => {
      if (entry.type === bsonTypes.object) return checked(documentOf(entry), entry.name);
      throw wrongType(entry, `applyOps.${entry.name}`, ['object']);
    });
  },
};

function checked(entry: RawDocument, name: string): AppliedOperation {
  const op = opIn(entry);
  if (op === '') throw illegal(`"op" field value cannot be empty: ${name}`);
  const ns = textIn(entry, 'ns', name);
  if (ns.includes('\0')) throw illegal('namespaces cannot have embedded null characters');
  if (ns === '' && op !== 'n') {
    throw illegal(`"ns" field value cannot be empty when op type is not 'n': ${name}`);
  }
  if (!['i', 'u', 'd', 'n', 'c'].includes(op))
    throw new ServerError('BadValue', `Unrecognized opType: ${op}`);
  const o = objectIn(entry, 'o');
  return { op, ns, o, o2: op === 'u' ? objectIn(entry, 'o2') : undefined, ui: entry.get('ui') };
}

function opIn(entry: RawDocument): string {
  const value = entry.get('op');
  if (value === undefined) throw new ServerError('NoSuchKey', 'Missing expected field "op"');
  if (value.type === bsonTypes.string) return textOf(value);
  throw wrongType(value, 'applyOps.op', ['string']);
}

function textIn(entry: RawDocument, field: string, name: string): string {
  const value = entry.get(field);
  if (value === undefined) throw illegal(`op does not contain required "${field}" field: ${name}`);
  if (value.type === bsonTypes.string) return textOf(value);
  throw illegal(`"${field}" field is not a string: ${name}`);
}

function objectIn(entry: RawDocument, field: string): RawDocument {
  const value = entry.get(field);
  if (value?.type === bsonTypes.object) return documentOf(value);
  if (value === undefined && field === 'o') {
    throw new ServerError(40414, "BSON field 'applyOps.o' is missing but a required field");
  }
  throw new ServerError('TypeMismatch', `the field '${field}' of an operation has to be an object`);
}

function illegal(message: string): ServerError {
  return new ServerError('IllegalOperation', message);
}
