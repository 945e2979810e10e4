import { bsonTypes, typeName } from '../bson/bson-types.ts';
import { findNul, valueEnd } from '../bson/bytes.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { depthOf, MAX_DOCUMENT_SIZE, MAX_STORED_DEPTH } from '../bson/validate.ts';
import { type Element, elementAt, type Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';

/** Creates an `_id` for a document without one. */
export type NewId = () => Value;

/**
 * Prepares a document for storage: moves `_id` to the front or adds one. Throws if the document is too large,
 * or nested too deeply, or if its `_id` is invalid.
 */
export function prepareInsert(doc: RawDocument, newId: NewId): RawDocument {
  if (doc.length > MAX_DOCUMENT_SIZE) {
    throw new ServerError(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${doc.length}, max size: ${MAX_DOCUMENT_SIZE}`,
    );
  }
  checkDepth(doc);
  const id = onlyId(doc);
  if (id !== undefined) checkId(id);
  return id !== undefined && id.nameStart === doc.offset + 5 ? doc : withIdFirst(doc, id ?? newId());
}

/**
 * Returns the `_id`, or undefined if there is none. Throws if there are several. Scans the bytes, because an
 * object per field would cost more than all other checks of an insert.
 */
function onlyId({ bytes, offset }: RawDocument): Element | undefined {
  let id: Element | undefined;
  let at = offset + 4;
  for (let type = bytes[at] as number; type !== 0; type = bytes[at] as number) {
    const nameEnd = findNul(bytes, at + 1);
    if (isIdName(bytes, at + 1, nameEnd)) {
      if (id !== undefined) {
        throw new ServerError('BadValue', "can't have multiple _id fields in one document");
      }
      id = elementAt(bytes, at);
    }
    at = valueEnd(bytes, type, nameEnd + 1);
  }
  return id;
}

/** The least size of a nesting level in bytes: a type byte, an empty name with its NUL, a length and the final NUL. */
const LEVEL_BYTES = 7;

function checkDepth(doc: RawDocument): void {
  if (doc.length < MAX_STORED_DEPTH * LEVEL_BYTES || depthOf(doc.toValue()) <= MAX_STORED_DEPTH) return;
  throw new ServerError(
    'Overflow',
    `cannot insert document because it exceeds ${MAX_STORED_DEPTH} levels of nesting`,
  );
}

/** Returns the document with `id` as its first field, in place of any other `_id`. */
export function withIdFirst(doc: RawDocument, id: Value): RawDocument {
  return writeDocument((writer) => {
    writer.field('_id', id);
    for (const element of doc) if (!isId(element)) writer.element(element);
  });
}

function isId({ bytes, nameStart, nameEnd }: Element): boolean {
  return isIdName(bytes, nameStart, nameEnd);
}

/** Compares the name with "_id" without decoding it. */
function isIdName(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 3 && bytes[start] === 0x5f && bytes[start + 1] === 0x69 && bytes[start + 2] === 0x64;
}

const impossibleIds: ReadonlySet<number> = new Set([bsonTypes.array, bsonTypes.regex, bsonTypes.undefined]);

function checkId(id: Value): void {
  if (impossibleIds.has(id.type)) {
    throw new ServerError('InvalidIdField', `The '_id' value cannot be of type ${typeName(id.type)}`);
  }
  if (id.type !== bsonTypes.object) return;
  const fields = [...documentOf(id)];
  for (const [i, field] of fields.entries()) {
    if (!field.name.startsWith('$') || isReference(field, fields[i - 1], fields[i + 1])) continue;
    throw new ServerError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${field.name} is not valid for storage.`,
    );
  }
}

/** True if a field whose name begins with `$` belongs to a DBRef, whose fields have a fixed order. */
function isReference(field: Element, before: Element | undefined, after: Element | undefined): boolean {
  const isText = field.type === bsonTypes.string;
  if (field.name === '$ref') return isText && after?.name === '$id';
  if (field.name === '$id') return before?.name === '$ref';
  return field.name === '$db' && isText && before?.name === '$id';
}
