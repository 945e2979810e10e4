import { bsonTypes } from '../../bson/bson-types.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Scope } from '../expression/expression.ts';
import { checkFieldPath } from '../field-path.ts';
import { mapParts } from '../parts.ts';
import type { ProjectionField } from './parse.ts';
import { buildTree, isNode, type ProjectionNode } from './tree.ts';

/** Compiles `$addFields`, which returns the whole document with computed fields. */
export function compileAddition(
  spec: RawDocument,
  environment: Environment = noEnvironment,
): (doc: RawDocument) => RawDocument {
  return additionOf(fieldsOf(spec, '', environment), environment.statement);
}

/** The error code for conflicting paths. */
const COLLISION = 40176;

/** Like `compileAddition`, but takes parsed fields. */
export function additionOf(
  fields: readonly ProjectionField[],
  statement: Statement,
): (doc: RawDocument) => RawDocument {
  const tree = buildTree(fields, statement, COLLISION);
  return (doc) => {
    const writer = new DocumentWriter();
    writeAdded(tree, doc, writer, { root: doc });
    return new RawDocument(writer.finish());
  };
}

/** Flattens the specification: a document is a nested path unless it is empty or contains an operator. */
function fieldsOf(
  spec: RawDocument,
  prefix: string,
  environment: Environment | undefined,
): ProjectionField[] {
  return mapParts(spec, 'a projection', (element) => fieldOf(element, prefix, environment)).flat();
}

function fieldOf(
  element: Element,
  prefix: string,
  environment: Environment | undefined,
): ProjectionField | ProjectionField[] {
  const path = prefix + element.name;
  checkFieldPath(path, prefix !== '');
  const inner = element.type === bsonTypes.object ? documentOf(element) : undefined;
  const first = inner?.first();
  if (first?.name.startsWith('$') && inner?.after(first) !== undefined) {
    throw new ServerError(40181, `an expression specification must contain exactly one field at '${path}'`);
  }
  if (inner === undefined || first === undefined || first.name.startsWith('$')) {
    return { path, action: compileExpression(element, environment) };
  }
  for (const { name } of inner) {
    if (name.includes('.')) {
      throw new ServerError(40183, `FieldPath field names may not contain '.' in a sub-object: ${name}`);
    }
  }
  return fieldsOf(inner, `${path}.`, environment);
}

/** Writes the document with the added fields. Existing fields keep their positions. */
function writeAdded(node: ProjectionNode, doc: RawDocument, writer: DocumentWriter, scope: Scope): void {
  const start = writer.begin();
  const written = new Set<string>();
  for (const element of doc) {
    node.statement.check();
    const child = node.byName.get(element);
    if (child === undefined || child === 'named') {
      writer.element(element);
      continue;
    }
    const { name } = element;
    written.add(name);
    if (isNode(child)) writeInside(child, name, element, writer, scope);
    else {
      const value = child.evaluate(scope);
      if (value !== undefined) writer.field(name, value);
    }
  }
  for (const [name, child] of node.children) {
    node.statement.check();
    if (child === 'named' || written.has(name)) continue;
    if (isNode(child)) {
      writer.head(bsonTypes.object, name);
      writeAdded(child, RawDocument.empty, writer, scope);
    } else {
      const value = child.evaluate(scope);
      if (value !== undefined) writer.field(name, value);
    }
  }
  writer.end(start);
}

/**
 * Adds fields to a value. If the value is an array, adds them to every document in it. Replaces a scalar by a
 * document.
 */
function writeInside(
  node: ProjectionNode,
  name: string,
  value: Value,
  writer: DocumentWriter,
  scope: Scope,
): void {
  if (value.type === bsonTypes.array) {
    writer.head(bsonTypes.array, name);
    const start = writer.begin();
    let count = 0;
    for (const entry of documentOf(value)) {
      node.statement.check();
      writeInside(node, String(count++), entry, writer, scope);
    }
    writer.end(start);
    return;
  }
  writer.head(bsonTypes.object, name);
  writeAdded(node, value.type === bsonTypes.object ? documentOf(value) : RawDocument.empty, writer, scope);
}
