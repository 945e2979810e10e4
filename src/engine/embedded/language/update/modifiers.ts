import { ServerError } from '../../server-error.ts';
import { bsonTypes, typeName } from '../bson-types.ts';
import { equalValues } from '../compare.ts';
import { describe } from '../describe.ts';
import { DocumentWriter } from '../document-writer.ts';
import { prepareInsert } from '../insert.ts';
import { documentOf, RawDocument } from '../raw.ts';
import { MAX_DOCUMENT_SIZE } from '../validate.ts';
import type { Element } from '../value.ts';
import { UpdateRun } from './apply.ts';
import { fieldModifiers } from './fields.ts';
import type { CompileModifier, UpdateContext } from './modifier.ts';
import { buildTree, creates, isLeaf, type UpdateBranch, type UpdateLeaf, type UpdateNode } from './tree.ts';
import type { Update, UpdateResult } from './update.ts';
import { seedOf } from './upsert.ts';

const modifiers = new Map<string, CompileModifier>(Object.entries(fieldModifiers));

/** Changes of single fields: `{$set: {…}, $inc: {…}}`. */
export function compileModifiers(update: RawDocument): Update {
  const tree = buildTree([...update].flatMap(compileModifier));
  return {
    kind: 'modifiers',
    apply: (doc) => run(tree, { document: doc, inserting: false }),
    insertFrom(filter, newId) {
      const { bytes } = run(tree, { document: seedOf(filter), inserting: true });
      return prepareInsert(new RawDocument(bytes), newId).toBytes();
    },
  };
}

function compileModifier(element: Element): UpdateLeaf[] {
  const { name } = element;
  const compile = modifiers.get(name);
  if (compile === undefined) {
    throw new ServerError(
      'FailedToParse',
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update ` +
        'specified as an array',
    );
  }
  if (element.type !== bsonTypes.object) {
    throw new ServerError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeName(element.type)} instead. ` +
        `For example: {$mod: {<field>: ...}} not {${name}: ${describe(element)}}`,
    );
  }
  return [...documentOf(element)].map((field) => ({
    path: field.name,
    modifier: compile(field, field.name),
  }));
}

function run(tree: UpdateBranch, context: UpdateContext): UpdateResult {
  const { document } = context;
  if (!context.inserting) refuseDollarFields(tree, context);
  const writer = new DocumentWriter();
  const update = new UpdateRun(writer, context);
  update.write(tree, document.toValue(), 1);
  if (!update.modified) return { bytes: document.toBytes(), modified: false };
  const bytes = writer.finish();
  if (bytes.length > MAX_DOCUMENT_SIZE) {
    throw new ServerError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_SIZE}`);
  }
  refuseOtherId(tree, document, new RawDocument(bytes));
  return { bytes, modified: true };
}

/**
 * Fields of a document that is there cannot be given names that look like operators; fields deeper down can.
 */
function refuseDollarFields(tree: UpdateBranch, context: UpdateContext): void {
  for (const [name, node] of tree.children) {
    if (name.startsWith('$') && creates(node, context)) {
      throw new ServerError(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' in '${name}' is not valid for storage.`,
      );
    }
  }
}

function refuseOtherId(tree: UpdateBranch, before: RawDocument, after: RawDocument): void {
  const node = tree.children.get('_id');
  const old = before.get('_id');
  if (node === undefined || old === undefined) return;
  const id = after.get('_id');
  if (id !== undefined && equalValues(old, id)) return;
  throw new ServerError(
    'ImmutableField',
    `Performing an update on the path '${firstPath(node)}' would modify the immutable field '_id'`,
  );
}

function firstPath(node: UpdateNode): string {
  if (isLeaf(node)) return node.path;
  const [child] = node.children.values();
  return child === undefined ? node.path : firstPath(child);
}
