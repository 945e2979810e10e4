import { bsonTypes } from '../../bson/bson-types.ts';
import type { DocumentWriter } from '../../bson/document-writer.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Scope } from '../expression/expression.ts';
import { isNode, type ProjectionNode } from './tree.ts';

/** Writes the included fields in the document's order, then the computed fields. */
export function writeIncluded(
  node: ProjectionNode,
  doc: RawDocument,
  writer: DocumentWriter,
  scope: Scope,
): void {
  const start = writer.begin();
  for (const element of doc) {
    node.statement.check();
    const child = node.byName.get(element);
    if (child === 'named') writer.element(element);
    else if (child !== undefined && isNode(child)) writeInside(child, element.name, element, writer, scope);
  }
  if (node.computes) writeComputed(node, doc, writer, scope);
  writer.end(start);
}

function writeComputed(node: ProjectionNode, doc: RawDocument, writer: DocumentWriter, scope: Scope): void {
  for (const [name, child] of node.children) {
    node.statement.check();
    if (child === 'named') continue;
    if (!isNode(child)) {
      const value = child.evaluate(scope);
      if (value !== undefined) writer.field(name, value);
    } else if (child.computes && !doc.has(name)) {
      writer.head(bsonTypes.object, name);
      writeIncluded(child, RawDocument.empty, writer, scope);
    }
  }
}

/** Writes the included parts of a value. A scalar is dropped, unless fields are computed in its place. */
function writeInside(
  node: ProjectionNode,
  name: string,
  value: Value,
  writer: DocumentWriter,
  scope: Scope,
): boolean {
  if (value.type === bsonTypes.array) {
    writer.head(bsonTypes.array, name);
    const start = writer.begin();
    let count = 0;
    for (const entry of documentOf(value)) {
      node.statement.check();
      if (writeInside(node, String(count), entry, writer, scope)) count++;
    }
    writer.end(start);
    return true;
  }
  if (value.type !== bsonTypes.object && !node.computes) return false;
  writer.head(bsonTypes.object, name);
  const doc = value.type === bsonTypes.object ? documentOf(value) : RawDocument.empty;
  writeIncluded(node, doc, writer, scope);
  return true;
}
