import { ServerError } from '../../server-error.ts';
import { compareBytes } from '../bytes.ts';
import { NameMap } from '../name-map.ts';
import { encodeName } from '../raw.ts';
import type { Modifier, UpdateContext } from './modifier.ts';

/** The paths of an update as a tree, so that one pass over a document applies all of them. */
export type UpdateNode = UpdateLeaf | UpdateBranch;

export interface UpdateLeaf {
  readonly path: string;
  readonly modifier: Modifier;
}

export interface UpdateBranch {
  readonly path: string;
  /** By name, in the order in which new fields are added: numbers by value, other names by their bytes. */
  readonly children: ReadonlyMap<string, UpdateNode>;
  readonly byName: NameMap<UpdateNode>;
}

export function isLeaf(node: UpdateNode): node is UpdateLeaf {
  return 'modifier' in node;
}

/** Whether anything at or below the node makes fields that are not there. */
export function creates(node: UpdateNode, context: UpdateContext): boolean {
  if (isLeaf(node)) return node.modifier.creates(context);
  for (const child of node.children.values()) if (creates(child, context)) return true;
  return false;
}

export function buildTree(leaves: readonly UpdateLeaf[]): UpdateBranch {
  const root: Draft = { path: '', children: new Map() };
  for (const leaf of leaves) place(root, leaf);
  return finished(root);
}

/** A branch while paths are still added to it. */
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
    const next: Draft = present ?? { path, children: new Map() };
    branch.children.set(name, next);
    branch = next;
  });
}

function finished({ path, children }: Draft): UpdateBranch {
  const sorted = [...children].sort(([a], [b]) => compareNames(a, b));
  const nodes = new Map<string, UpdateNode>(
    sorted.map(([name, node]) => [name, 'modifier' in node ? node : finished(node)]),
  );
  return { path, children: nodes, byName: new NameMap(nodes) };
}

function conflict(path: string, at: string): ServerError {
  return new ServerError(
    'ConflictingUpdateOperators',
    `Updating the path '${path}' would create a conflict at '${at}'`,
  );
}

function partsOf(path: string): string[] {
  if (path === '') throw new ServerError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new ServerError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  parts.forEach(refusePositional, path);
  return parts;
}

/** Places that only the match or an array filter knows are not there yet. */
function refusePositional(this: string, part: string): void {
  if (part === '$') {
    throw new ServerError(
      'BadValue',
      'The positional operator did not find the match needed from the query.',
    );
  }
  const filtered = /^\$\[(.*)\]$/.exec(part);
  if (filtered !== null) {
    throw new ServerError(
      'BadValue',
      `No array filter found for identifier '${filtered[1]}' in path '${this}'`,
    );
  }
}

function compareNames(a: string, b: string): number {
  if (/^\d+$/.test(a) && /^\d+$/.test(b)) return Number(a) - Number(b);
  return compareBytes(encodeName(a), encodeName(b));
}
