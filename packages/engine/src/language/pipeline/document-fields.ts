import { bsonTypes } from '../../bson/bson-types.ts';
import { type DocumentWriter, writeDocument } from '../../bson/document-writer.ts';
import { documentOf, encodeName, findField, RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Statement } from '../../statement/statement.ts';

/** Returns the value at a path. The path traverses documents but not arrays. */
export function fieldAt(doc: RawDocument, parts: readonly string[]): Value | undefined {
  let value: Value | undefined = doc.toValue();
  for (const part of parts) {
    if (value?.type !== bsonTypes.object) return undefined;
    value = findField(value.bytes, value.start, encodeName(part));
  }
  return value;
}

/** Sets the value at a path, in place or as the last field. `undefined` removes the field. */
export function withField(doc: RawDocument, parts: readonly string[], value: Value | undefined): RawDocument {
  return writeDocument((writer) => writeFields(writer, doc, parts, 0, value));
}

/** Creates a document with values at paths. Undefined values are omitted. */
export function documentWith(
  values: ReadonlyArray<readonly [path: readonly string[], value: Value | undefined]>,
  statement: Statement,
): RawDocument {
  return withFields(RawDocument.empty, values, statement);
}

/**
 * Sets values at paths like repeated calls of `withField`, but in one pass over the document if there are
 * many values.
 */
export function withFields(
  doc: RawDocument,
  values: ReadonlyArray<readonly [path: readonly string[], value: Value | undefined]>,
  statement: Statement,
): RawDocument {
  if (values.length <= FEW) {
    return values.reduce<RawDocument>((made, [path, value]) => withField(made, path, value), doc);
  }
  const root: SetNode = { children: new Map() };
  for (const [path, value] of values) {
    statement.check();
    place(root, path, value);
  }
  return writeDocument((writer) => writeSet(writer, doc, root, statement));
}

/** Up to this number, one copy of the document per value is faster than a tree of paths. */
const FEW = 4;

/** The value to set at a path, or the nodes below it. */
interface SetNode {
  readonly children?: Map<string, SetNode>;
  readonly value?: Value | undefined;
}

function place(root: SetNode, path: readonly string[], value: Value | undefined): void {
  let node = root;
  path.forEach((name, i) => {
    const children = node.children as Map<string, SetNode>;
    if (i === path.length - 1) {
      children.set(name, { value });
      return;
    }
    const present = children.get(name);
    const next = present?.children === undefined ? insideOf(present?.value) : present;
    children.set(name, next);
    node = next;
  });
}

/**
 * Returns a node for a value below which longer paths set fields. A document keeps its fields; any other
 * value is replaced.
 */
function insideOf(value: Value | undefined): SetNode {
  const fields = value?.type === bsonTypes.object ? [...documentOf(value)] : [];
  return { children: new Map(fields.map((field) => [field.name, { value: field }])) };
}

/** True if the node sets a value; false if it only removes fields. */
function sets({ children, value }: SetNode): boolean {
  if (children === undefined) return value !== undefined;
  for (const child of children.values()) if (sets(child)) return true;
  return false;
}

function writeSet(
  writer: DocumentWriter,
  doc: RawDocument,
  { children = new Map<string, SetNode>() }: SetNode,
  statement: Statement,
): void {
  const found = new Set<string>();
  const write = (name: string, node: SetNode, before: Value | undefined) => {
    if (node.children === undefined) {
      if (node.value !== undefined) writer.field(name, node.value);
      return;
    }
    writer.head(bsonTypes.object, name);
    const start = writer.begin();
    writeSet(
      writer,
      before?.type === bsonTypes.object ? documentOf(before) : RawDocument.empty,
      node,
      statement,
    );
    writer.end(start);
  };
  for (const element of doc) {
    statement.check();
    const { name } = element;
    const node = found.has(name) ? undefined : children.get(name);
    if (node === undefined) writer.element(element);
    else {
      found.add(name);
      write(name, node, element);
    }
  }
  for (const [name, node] of children) {
    statement.check();
    if (!found.has(name) && sets(node)) write(name, node, undefined);
  }
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
