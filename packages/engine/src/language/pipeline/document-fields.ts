import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { documentOf, encodeName, findField, RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';

/** The value at a path through documents; arrays are not traversed. */
export function fieldAt(doc: RawDocument, parts: readonly string[]): Value | undefined {
  let value: Value | undefined = doc.toValue();
  for (const part of parts) {
    if (value?.type !== bsonTypes.object) return undefined;
    value = findField(value.bytes, value.start, encodeName(part));
  }
  return value;
}

/** Sets the value at a path in place or at the end; `undefined` removes the field. */
export function withField(doc: RawDocument, parts: readonly string[], value: Value | undefined): RawDocument {
  return writeDocument((writer) => writeFields(writer, doc, parts, 0, value));
}

/** A document with values at paths; missing ones are omitted. */
export function documentWith(
  values: ReadonlyArray<readonly [path: readonly string[], value: Value | undefined]>,
): RawDocument {
  return values.reduce<RawDocument>((doc, [path, value]) => withField(doc, path, value), RawDocument.empty);
}

function writeFields(
  writer: DocumentWriter,
  doc: RawDocument,
  parts: readonly string[],
  depth: number,
  value: Value | undefined,
): void {
  const name = parts[depth] as string;
  const last = depth === parts.length - 1;
  let found = false;
  for (const element of doc) {
    if (found || element.name !== name) {
      writer.element(element);
      continue;
    }
    found = true;
    if (!last) {
      const inner = element.type === bsonTypes.object ? documentOf(element) : RawDocument.empty;
      writeInner(writer, name, inner, parts, depth, value);
    } else if (value !== undefined) writer.field(name, value);
  }
  if (found || value === undefined) return;
  if (last) writer.field(name, value);
  else writeInner(writer, name, RawDocument.empty, parts, depth, value);
}

function writeInner(
  writer: DocumentWriter,
  name: string,
  doc: RawDocument,
  parts: readonly string[],
  depth: number,
  value: Value | undefined,
): void {
  writer.head(bsonTypes.object, name);
  const start = writer.begin();
  writeFields(writer, doc, parts, depth + 1, value);
  writer.end(start);
}
