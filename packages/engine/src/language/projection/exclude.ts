import { bsonTypes } from '../../bson/bson-types.ts';
import type { DocumentWriter } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { isNode, type ProjectionNode } from './tree.ts';

/** Writes a document without the fields that the tree names. */
export function writeWithout(node: ProjectionNode, doc: RawDocument, writer: DocumentWriter): void {
  const start = writer.begin();
  for (const element of doc) {
    node.statement.check();
    const child = node.byName.get(element);
    if (child === undefined) writer.element(element);
    else if (isNode(child)) writeInside(child, element.name, element, writer);
  }
  writer.end(start);
}

function writeInside(node: ProjectionNode, name: string, value: Value, writer: DocumentWriter): void {
  writer.head(value.type, name);
  if (value.type === bsonTypes.object) {
    writeWithout(node, documentOf(value), writer);
  } else if (value.type === bsonTypes.array) {
    const start = writer.begin();
    let count = 0;
    for (const entry of documentOf(value)) {
      node.statement.check();
      writeInside(node, String(count++), entry, writer);
    }
    writer.end(start);
  } else {
    writer.span(value.bytes, value.start, value.end);
  }
}
