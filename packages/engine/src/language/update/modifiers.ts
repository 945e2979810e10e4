import { machineClock } from '@portolan/foundation/clock';
import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { equalValues } from '../../bson/compare.ts';
import { describe } from '../../bson/describe.ts';
import { DocumentWriter } from '../../bson/document-writer.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { MAX_DOCUMENT_SIZE } from '../../bson/validate.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { freeing } from '../../statement/statement.ts';
import { noEnvironment } from '../environment.ts';
import { isPositional } from '../field-path.ts';
import type { Filter } from '../filter/filter.ts';
import { prepareInsert } from '../insert.ts';
import { mapParts } from '../parts.ts';
import { UpdateRun } from './apply.ts';
import { arrayModifiers } from './array.ts';
import { fieldModifiers } from './fields.ts';
import type { CompileModifier, UpdateContext, UpdateLeaf } from './modifier.ts';
import { numberModifiers } from './numbers.ts';
import { differenceAt } from './path-difference.ts';
import { ArrayFilters, atPosition, noMatchedPosition } from './positional.ts';
import { pullModifiers } from './pull.ts';
import { pushModifiers } from './push.ts';
import { renameLeaves } from './rename.ts';
import { buildTree, creates, isLeaf, type UpdateBranch, type UpdateNode } from './tree.ts';
import type { Update, UpdateOptions, UpdateResult } from './update.ts';
import { seedOf } from './upsert.ts';

/** All update operators except `$rename`, which modifies two paths. */
export const modifiers = new Map<string, CompileModifier>(
  Object.entries({
    ...fieldModifiers,
    ...numberModifiers,
    ...arrayModifiers,
    ...pushModifiers,
    ...pullModifiers,
  }),
);

/** The clock of updates that run without an operation. */
const machine = machineClock();

/** Compiles `{$set: {…}, $inc: {…}}`. */
export function compileModifiers(update: RawDocument, options: UpdateOptions = {}): Update {
  const { now = machine.now, environment: { statement } = noEnvironment } = options;
  const leaves = mapParts(update, 'an update', (element) => compileModifier(element, options)).flat();
  const treeAt = treesOf(leaves, options);
  return {
    kind: 'modifiers',
    apply: (doc, filter) => run(treeAt(doc, filter), { document: doc, inserting: false, now, statement }),
    insertFrom(filter, newId) {
      const context = { document: seedOf(filter), inserting: true, now, statement };
      const { bytes } = run(treeAt(context.document), context);
      return prepareInsert(new RawDocument(bytes), newId).toBytes();
    },
  };
}

/**
 * Returns a function that returns the tree of modifiers for a document. If a path contains `$`, there is one
 * tree per index that `$` denotes.
 */
function treesOf(leaves: readonly UpdateLeaf[], { arrayFilters = [], environment }: UpdateOptions) {
  const filters = new ArrayFilters(arrayFilters, environment);
  const { statement } = environment ?? noEnvironment;
  const tree = buildTree(leaves, filters, statement);
  filters.checkUsed();
  if (!leaves.some(({ path }) => isPositional(path))) return () => tree;
  const trees = new Map<number, UpdateBranch>();
  return (doc: RawDocument, filter?: Filter) => {
    const position = filter?.position(doc);
    if (position === undefined) throw noMatchedPosition();
    const known = trees.get(position);
    if (known !== undefined) return known;
    const placed = leaves.map((leaf) => ({ ...leaf, path: atPosition(leaf.path, position) }));
    const made = buildTree(placed, filters, statement);
    trees.set(position, made);
    return made;
  };
}

function compileModifier(element: Element, { environment = noEnvironment }: UpdateOptions): UpdateLeaf[] {
  const { name } = element;
  const compile = modifiers.get(name);
  if (compile === undefined && name !== '$rename') {
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
  const compiled = mapParts(documentOf(element), 'an update', (field) => {
    environment.statement.check();
    if (compile === undefined) return renameLeaves(field);
    return [{ path: field.name, modifier: compile(field, field.name, environment) }];
  });
  return compiled.flat();
}

function run(tree: UpdateBranch, context: UpdateContext): UpdateResult {
  const { document } = context;
  if (!context.inserting) refuseDollarFields(tree, context);
  const writer = new DocumentWriter();
  const update = new UpdateRun(writer, context);
  freeing(context.statement, () => update.write(tree, document.toValue(), 1));
  if (!update.modified) return { bytes: document.toBytes(), modified: false };
  const bytes = writer.finish();
  if (bytes.length > MAX_DOCUMENT_SIZE) {
    throw new ServerError(17419, `Resulting document after update is larger than ${MAX_DOCUMENT_SIZE}`);
  }
  const after = new RawDocument(bytes);
  refuseOtherId(tree, document, after);
  return { bytes, modified: true, difference: () => differenceAt(tree, document, after, context.statement) };
}

/** Throws if the update adds a top-level field that begins with `$`. Nested fields may begin with `$`. */
function refuseDollarFields(tree: UpdateBranch, context: UpdateContext): void {
  for (const [name, node] of tree.children) {
    context.statement.check();
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
