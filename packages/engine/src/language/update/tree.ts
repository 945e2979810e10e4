import { compareBytes } from '../../bson/bytes.ts';
import { NameMap } from '../../bson/name-map.ts';
import { encodeName } from '../../bson/raw.ts';
import { MAX_DEPTH } from '../../bson/validate.ts';
import type { Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Statement, unwatched } from '../../statement/statement.ts';
import { checking } from '../expression/entries.ts';
import { keepParts } from '../parts.ts';
import type { UpdateContext, UpdateLeaf } from './modifier.ts';
import { ArrayFilters, arrayPart, type EntryTest } from './positional.ts';

/** The paths of an update as a tree, so that a single pass over a document applies them all. */
export type UpdateNode = UpdateLeaf | UpdateBranch;

export interface UpdateBranch {
  readonly path: string;
  /** The children by name, in the order in which new fields are added: numeric names by value, other names by bytes. */
  readonly children: ReadonlyMap<string, UpdateNode>;
  readonly byName: NameMap<UpdateNode>;
  /** The children for array entries that a filter selects. */
  readonly chosen: ReadonlyArray<{ readonly test: EntryTest; readonly node: UpdateNode }>;
}

export function isLeaf(node: UpdateNode): node is UpdateLeaf {
  return 'modifier' in node;
}

/** True if a modifier in the node creates a missing field. */
export function creates(node: UpdateNode, context: UpdateContext): boolean {
  if (isLeaf(node)) return node.modifier.creates(context);
  if (node.chosen.length > 0) return true;
  for (const child of node.children.values()) if (creates(child, context)) return true;
  return false;
}

/** True if a modifier in the node fails where its path is blocked. */
export function failsWhenBlocked(node: UpdateNode): boolean {
  if (isLeaf(node)) return node.modifier.failsWhenBlocked === true;
  return node.children.values().some(failsWhenBlocked);
}

/** Throws for invalid and conflicting paths. */
export function buildTree(
  leaves: readonly UpdateLeaf[],
  filters = new ArrayFilters([]),
  statement: Statement = unwatched,
): UpdateBranch {
  const root: Draft = { path: '', children: new Map() };
  for (const leaf of leaves) {
    statement.check();
    place(root, leaf);
  }
  return finished(root, filters, statement);
}

/** Merges the nodes that apply to the same array entry. */
function merged(nodes: readonly UpdateNode[], path: string): UpdateNode {
  const [first, second] = nodes as readonly [UpdateNode, UpdateNode | undefined];
  if (second === undefined) return first;
  const byName = new Map<string, UpdateNode[]>();
  for (const node of nodes) {
    if (isLeaf(node)) throw conflict(node.path, path);
    for (const [name, child] of node.children) {
      const found = byName.get(name);
      if (found === undefined) byName.set(name, [child]);
      else found.push(child);
    }
  }
  const children = new Map(
    [...byName]
      .sort(([a], [b]) => compareNames(a, b))
      .map(([name, same]) => [name, merged(same, `${path}.${name}`)]),
  );
  const chosen = nodes.flatMap((node) => (isLeaf(node) ? [] : node.chosen));
  return { path, children, byName: new NameMap(children), chosen };
}

/** Returns the node for an array entry, which may be addressed by index or by filters. */
export function entryNode(branch: UpdateBranch, entry: Element, position: number): UpdateNode | undefined {
  const exact = branch.children.size === 0 ? undefined : branch.children.get(String(position));
  if (branch.chosen.length === 0) return exact;
  const nodes = branch.chosen.filter(({ test }) => test(entry)).map(({ node }) => node);
  if (exact !== undefined) nodes.unshift(exact);
  // Return a copy. Callers recognize an applied node by object identity, but the node of a filter can apply to several
  // entries.
  return nodes.length === 0 ? undefined : { ...merged(nodes, `${branch.path}.${position}`) };
}

/** A branch under construction. */
interface Draft {
  readonly path: string;
  readonly children: Map<string, UpdateLeaf | Draft>;
}

function place(root: Draft, leaf: UpdateLeaf): void {
  const parts = partsOf(leaf.path);
  let branch = root;
  parts.forEach((name, i) => {
    const path = parts.slice(0, i + 1).join('.');
    const present = branch.children.get(name);
    const last = i === parts.length - 1;
    if (present !== undefined && (last || 'modifier' in present)) throw conflict(leaf.path, path);
    if (last) {
      branch.children.set(name, leaf);
      return;
    }
    if (present === undefined) keepParts('an update');
    const next: Draft = present ?? { path, children: new Map() };
    branch.children.set(name, next);
    branch = next;
  });
}

function finished({ path, children }: Draft, filters: ArrayFilters, statement: Statement): UpdateBranch {
  const nodes = new Map<string, UpdateNode>();
  const chosen: Array<{ readonly test: EntryTest; readonly node: UpdateNode }> = [];
  const order = checking(statement, ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) =>
    compareNames(a, b),
  );
  for (const [name, draft] of [...children].sort(order)) {
    statement.check();
    const node = 'modifier' in draft ? draft : finished(draft, filters, statement);
    const test = filters.testOf(name, pathBelow(draft));
    if (test === undefined) nodes.set(name, node);
    else chosen.push({ test, node });
  }
  return { path, children: nodes, byName: new NameMap(nodes), chosen };
}

/** Returns the full path of any leaf of the draft, for an error message. */
function pathBelow(draft: UpdateLeaf | Draft): string {
  if ('modifier' in draft) return draft.path;
  const [child] = draft.children.values();
  return child === undefined ? draft.path : pathBelow(child);
}

function conflict(path: string, at: string): ServerError {
  return new ServerError(
    'ConflictingUpdateOperators',
    `Updating the path '${path}' would create a conflict at '${at}'`,
  );
}

function partsOf(path: string): string[] {
  if (path === '') throw new ServerError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.', MAX_DEPTH + 1);
  if (parts.includes('')) {
    throw new ServerError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts.length > MAX_DEPTH) {
    throw new ServerError('Overflow', `The update path has more than ${MAX_DEPTH} parts`);
  }
  checkPositional(parts, path);
  return parts;
}

function checkPositional(parts: readonly string[], path: string): void {
  if (parts.filter((part) => part === '$').length > 1) {
    throw new ServerError('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  const [first = ''] = parts;
  if (first === '$') {
    throw new ServerError(
      'BadValue',
      `Cannot have positional (i.e. '$') element in the first position in path '${path}'`,
    );
  }
  if (arrayPart(first) !== undefined) {
    throw new ServerError(
      'BadValue',
      `Cannot have array filter identifier (i.e. '$[<id>]') element in the first position in path '${path}'`,
    );
  }
}

function compareNames(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return compareBytes(encodeName(a), encodeName(b));
}

export type { UpdateLeaf };
