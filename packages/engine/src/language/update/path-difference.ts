import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, nullValue, trueValue, type Value } from '../../bson/value.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import { type Changes, noChanges, writeChanges } from './difference.ts';
import type { UpdateLeaf } from './modifier.ts';
import { entryNode, isLeaf, type UpdateBranch, type UpdateNode } from './tree.ts';

/**
 * Computes the difference from the paths of the modifiers, as the server does. The difference contains the whole value
 * that `$set` wrote, even if little of the value changed. It omits the unchanged parts of the documents around such a
 * value.
 */
export function differenceAt(
  tree: UpdateBranch,
  before: RawDocument,
  after: RawDocument,
  statement: Statement = unwatched,
): RawDocument {
  const changes = noChanges();
  const old = namedFields(tree, before, statement);
  const now = namedFields(tree, after, statement);
  for (const [name, node] of tree.children) {
    statement.check();
    recordNode(changes, { name, node, old: old.get(node), now: now.get(node) }, statement);
  }
  return writeChanges(changes);
}

/** Returns those fields of a document that the branch names. */
function namedFields(
  branch: UpdateBranch,
  document: RawDocument,
  statement: Statement,
): ReadonlyMap<UpdateNode, Element> {
  const found = new Map<UpdateNode, Element>();
  for (const element of document) {
    statement.check();
    const node = branch.byName.get(element);
    if (node !== undefined && !found.has(node)) found.set(node, element);
  }
  return found;
}

interface Recorded {
  readonly name: string;
  readonly node: UpdateNode;
  readonly old: Element | undefined;
  readonly now: Element | undefined;
}

function recordNode(changes: Changes, { name, node, old, now }: Recorded, statement: Statement): void {
  if (now === undefined) {
    if (old !== undefined) changes.deleted.add(name);
  } else if (old === undefined) changes.inserted.push(now);
  else if (!old.identical(now)) {
    const inner = innerDifference(node, old, now, statement);
    if (inner === undefined) changes.updated.push(now);
    else changes.inside.push([name, inner]);
  }
}

/** Returns the difference within a value, or `undefined` if the new value must be recorded as a whole. */
function innerDifference(
  node: UpdateNode,
  old: Value,
  now: Value,
  statement: Statement,
): RawDocument | undefined {
  if (old.type !== now.type) return undefined;
  const [before, after] = [documentOf(old), documentOf(now)];
  if (isLeaf(node))
    return now.type === bsonTypes.array ? appended(node, before, after, statement) : undefined;
  return now.type === bsonTypes.array
    ? differenceInArray(node, before, after, statement)
    : differenceAt(node, before, after, statement);
}

/** Returns the difference if entries were only appended to a non-empty array. */
function appended(
  { modifier }: UpdateLeaf,
  before: RawDocument,
  after: RawDocument,
  statement: Statement,
): RawDocument | undefined {
  if (modifier.appends === undefined || before.isEmpty) return undefined;
  const [old, entries] = [elementsOf(before, statement), elementsOf(after, statement)];
  if (entries.length !== old.length + modifier.appends) return undefined;
  return inArray(entries.slice(old.length).map((entry, i) => ({ index: old.length + i, entry })));
}

function elementsOf(document: RawDocument, statement: Statement): Element[] {
  const elements: Element[] = [];
  for (const element of document) {
    statement.check();
    elements.push(element);
  }
  return elements;
}

interface ChangedEntry {
  readonly index: number;
  /** The new entry, if it is recorded as a whole. */
  readonly entry?: Value;
  readonly inside?: RawDocument;
}

function differenceInArray(
  branch: UpdateBranch,
  before: RawDocument,
  after: RawDocument,
  statement: Statement,
): RawDocument | undefined {
  const [old, entries] = [elementsOf(before, statement), elementsOf(after, statement)];
  if (branch.chosen.length > 0) return differenceOfChosen(branch, old, entries, statement);
  const changed: ChangedEntry[] = [];
  for (const [name, node] of branch.children) {
    statement.check();
    const index = Number(name);
    const entry = entries[index];
    if (entry !== undefined && old[index]?.identical(entry) !== true)
      changed.push(changedEntry({ index, node, old: old[index], entry }, statement));
  }
  return inArray(changed);
}

/**
 * Computes the difference for entries that array filters select. If a single entry changed, its difference is
 * recorded. Otherwise, the whole array is recorded.
 */
function differenceOfChosen(
  branch: UpdateBranch,
  old: readonly Element[],
  entries: readonly Element[],
  statement: Statement,
): RawDocument | undefined {
  const chosen = old.filter((entry) => {
    statement.check();
    return branch.chosen.some(({ test }) => test(entry));
  });
  const changed = entries.flatMap((entry, index) => {
    statement.check();
    return old[index]?.identical(entry) === true ? [] : [{ index, entry }];
  });
  const [first, second] = changed;
  if (first === undefined || second !== undefined) return undefined;
  const former = old[first.index];
  const node = former && chosen.length === 1 ? entryNode(branch, former, first.index) : undefined;
  if (node === undefined) return inArray([first]);
  return inArray([changedEntry({ ...first, node, old: former }, statement)]);
}

interface Compared {
  readonly index: number;
  readonly node: UpdateNode;
  readonly old: Value | undefined;
  readonly entry: Value;
}

function changedEntry({ index, node, old, entry }: Compared, statement: Statement): ChangedEntry {
  const inside = old && innerDifference(node, old, entry, statement);
  return inside === undefined ? { index, entry } : { index, inside };
}

function inArray(changed: readonly ChangedEntry[]): RawDocument {
  return writeDocument((writer) => {
    writer.field('a', trueValue);
    for (const { index, entry, inside } of changed) {
      if (inside === undefined) writer.field(`u${index}`, entry ?? nullValue);
      else writer.field(`s${index}`, inside.toValue());
    }
  });
}
