import { ServerError } from '../../server-error.ts';
import type { Expression } from '../expression/expression.ts';
import type { ProjectionField } from './parse.ts';

/** Paths of a projection as a tree. */
export interface ProjectionNode {
  readonly children: Map<string, ProjectionChild>;
  /** Whether there is an expression at or below the node. */
  computes: boolean;
}

/** A path that ends here and is included or excluded as a whole, one that is computed, or paths that go on. */
export type ProjectionChild = 'named' | Expression | ProjectionNode;

export function isNode(child: ProjectionChild): child is ProjectionNode {
  return child !== 'named' && 'children' in child;
}

export function buildTree(fields: readonly ProjectionField[]): ProjectionNode {
  const root: ProjectionNode = { children: new Map(), computes: false };
  for (const field of fields) place(root, field);
  return root;
}

function place(root: ProjectionNode, { path, action }: ProjectionField): void {
  const parts = path.split('.');
  const leaf = typeof action === 'string' ? 'named' : action;
  let node = root;
  parts.forEach((part, i) => {
    if (leaf !== 'named') node.computes = true;
    const present = node.children.get(part);
    if (i === parts.length - 1) {
      if (present !== undefined) throw new ServerError(31250, `Path collision at ${path}`);
      node.children.set(part, leaf);
      return;
    }
    if (present !== undefined && !isNode(present)) {
      const rest = parts.slice(i + 1).join('.');
      throw new ServerError(31249, `Path collision at ${path} remaining portion ${rest}`);
    }
    const next = present ?? { children: new Map(), computes: false };
    node.children.set(part, next);
    node = next;
  });
}
