import { bsonTypes } from '../../bson/bson-types.ts';
import { describe } from '../../bson/describe.ts';
import type { DocumentWriter } from '../../bson/document-writer.ts';
import { MAX_DEPTH, tooDeep } from '../../bson/validate.ts';
import { type Element, elementAt, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { partOf } from '../paths.ts';
import type { Outcome, UpdateContext } from './modifier.ts';
import { creates, entryNode, failsWhenBlocked, isLeaf, type UpdateBranch, type UpdateNode } from './tree.ts';

/** Maximum number of nulls with which an update may pad an array. */
const MAX_PADDING = 1_500_000;

/** Applies a tree of modifiers to a document. The bytes between modified fields are copied unchanged. */
export class UpdateRun {
  modified = false;
  readonly #writer: DocumentWriter;
  readonly #context: UpdateContext;

  constructor(writer: DocumentWriter, context: UpdateContext) {
    this.#writer = writer;
    this.#context = context;
  }

  /** Writes a document or array with the changes of the branch. The root document has a `depth` of 1. */
  write(branch: UpdateBranch, source: Value, depth: number): void {
    const writer = this.#writer;
    const { bytes } = source;
    const array = source.type === bsonTypes.array;
    if (branch.chosen.length > 0 && !array) throw notArray(source, branch.path);
    const start = writer.begin();
    const found = new Set<UpdateNode>();
    let copied = source.start + 4;
    let count = 0;
    for (let element = elementAt(bytes, copied); element; element = elementAt(bytes, element.end)) {
      this.#context.statement.check();
      const child = array ? entryNode(branch, element, count++) : branch.byName.get(element);
      if (child === undefined || found.has(child)) continue;
      found.add(array ? (branch.children.get(String(count - 1)) ?? child) : child);
      writer.span(bytes, copied, element.nameStart - 1);
      this.#writeExisting(child, element, array, depth);
      copied = element.end;
    }
    writer.span(bytes, copied, source.end - 1);
    const missing = [...branch.children].filter(([, child]) => !found.has(child));
    if (array) this.#append(missing, source, branch, count, depth);
    else for (const [name, child] of missing) this.#create(name, child, depth);
    writer.end(start);
  }

  #writeExisting(node: UpdateNode, element: Element, inArray: boolean, depth: number): void {
    if (!isLeaf(node)) {
      this.#writeInside(node, element, depth);
      return;
    }
    const outcome = this.#outcome(node.modifier.apply(element, this.#context), depth, node.modifier.depth);
    if (outcome === 'keep') this.#writer.element(element);
    else if (outcome !== 'remove') this.#writer.field(element.name, outcome);
    // A removed array entry becomes null, so that the other entries keep their indexes.
    else if (inArray) this.#writer.field(element.name, nullValue);
  }

  #writeInside(node: UpdateBranch, element: Element, depth: number): void {
    if (element.type === bsonTypes.object || element.type === bsonTypes.array) {
      this.#writer.head(element.type, element.name);
      this.write(node, element, depth + 1);
      return;
    }
    if (node.chosen.length > 0) throw notArray(element, node.path);
    for (const [name, child] of node.children) {
      if (creates(child, this.#context)) throw notViable(name, element);
      if (failsWhenBlocked(child)) throw blocked(name, element);
    }
    this.#writer.element(element);
  }

  /** Creates a missing field. Writes nothing if the modifier does not create fields. */
  #create(name: string, node: UpdateNode, depth: number): void {
    this.#context.statement.check();
    if (!creates(node, this.#context)) return;
    const writer = this.#writer;
    if (!isLeaf(node)) {
      if (depth + 1 > MAX_DEPTH) throw tooDeep();
      if (node.chosen.length > 0) throw notThere(node.path);
      writer.head(bsonTypes.object, name);
      const start = writer.begin();
      for (const [inner, child] of node.children) this.#create(inner, child, depth + 1);
      writer.end(start);
      this.modified = true;
      return;
    }
    const outcome = this.#outcome(node.modifier.apply(undefined, this.#context), depth, node.modifier.depth);
    if (outcome !== 'keep' && outcome !== 'remove') writer.field(name, outcome);
  }

  /** Appends entries to an array of `count` entries. Gaps before the new indexes are filled with nulls. */
  #append(
    nodes: ReadonlyArray<[string, UpdateNode]>,
    array: Value,
    branch: UpdateBranch,
    count: number,
    depth: number,
  ): void {
    let length = count;
    for (const [name, node] of nodes) {
      this.#context.statement.check();
      const { index } = partOf(name);
      if (index === -1 && failsWhenBlocked(node)) throw blocked(name, array, branch.path);
      if (!creates(node, this.#context)) continue;
      if (index === -1) throw notViable(name, array, branch.path);
      if (index - length > MAX_PADDING) throw cannotPad(index - length);
      for (; length < index; length++) {
        this.#context.statement.check();
        this.#writer.entry(length, nullValue);
      }
      this.#create(name, node, depth);
      length++;
    }
  }

  #outcome(outcome: Outcome, depth: number, added: number): Outcome {
    if (outcome === 'keep') return outcome;
    if (depth + added > MAX_DEPTH) throw tooDeep();
    this.modified = true;
    return outcome;
  }
}

function notArray(value: Value, path: string): ServerError {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return new ServerError(
    'BadValue',
    `Cannot apply array updates to non-array element ${name}: ${describe(value)}`,
  );
}

function notThere(path: string): ServerError {
  return new ServerError(
    'BadValue',
    `The path '${path}' must exist in the document in order to apply array updates.`,
  );
}

function notViable(name: string, parent: Value, path?: string): ServerError {
  const parentName = path?.slice(path.lastIndexOf('.') + 1) ?? (parent as Element).name;
  return new ServerError(
    'PathNotViable',
    `Cannot create field '${name}' in element {${parentName}: ${describe(parent)}}`,
  );
}

function blocked(name: string, parent: Value, path?: string): ServerError {
  const parentName = path?.slice(path.lastIndexOf('.') + 1) ?? (parent as Element).name;
  return new ServerError(
    'PathNotViable',
    `Cannot use the part (${name}) to traverse the element ({${parentName}: ${describe(parent)}})`,
  );
}

function cannotPad(count: number): ServerError {
  return new ServerError(
    'CannotBackfillArray',
    `can't backfill more than ${MAX_PADDING} elements, ${count} would be needed`,
  );
}
