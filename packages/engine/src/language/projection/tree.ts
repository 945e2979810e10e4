import { NameMap } from '../../bson/name-map.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Expression } from '../expression/expression.ts';
import { keepParts } from '../parts.ts';
import type { ProjectionField } from './parse.ts';

/** The paths of a projection as a tree. */
export interface ProjectionNode {
  /** The children in the order of the specification. */
  readonly children: ReadonlyMap<string, ProjectionChild>;
  readonly byName: NameMap<ProjectionChild>;
  /** True if the node or a node below it contains an expression. */
  readonly computes: boolean;
  /**
   * The statement that runs the projection. It can be interrupted, because a document or array may have a million
   * fields.
   */
  readonly statement: Statement;
}

/** A path that is included or excluded as a whole, an expression, or a node with longer paths. */
export type ProjectionChild = 'named' | Expression | ProjectionNode;

export function isNode(child: ProjectionChild): child is ProjectionNode {
  return child !== 'named' && 'children' in child;
}

/** Builds the tree of a projection. `collision` is the error code if a path equals or contains another path. */
export function buildTree(
  fields: readonly ProjectionField[],
  statement: Statement,
  collision?: number,
): ProjectionNode {
  const root: Draft = new Map();
  for (const field of fields) {
    statement.check();
    place(root, field, collision);
  }
  return finished(root, statement);
}

/** A node under construction. */
type Draft = Map<string, 'named' | Expression | Draft>;

function place(root: Draft, { path, action }: ProjectionField, collision: number | undefined): void {
  const parts = path.split('.');
  let draft = root;
  parts.forEach((part, i) => {
    const present = draft.get(part);
    if (i === parts.length - 1) {
      if (present !== undefined) throw new ServerError(collision ?? 31250, `Path collision at ${path}`);
      draft.set(part, typeof action === 'string' ? 'named' : action);
      return;
    }
    if (present !== undefined && !(present instanceof Map)) {
      const rest = parts.slice(i + 1).join('.');
      throw new ServerError(collision ?? 31249, `Path collision at ${path} remaining portion ${rest}`);
    }
    if (present === undefined) keepParts('a projection');
    const next: Draft = present ?? new Map();
    draft.set(part, next);
    draft = next;
  });
}

function finished(draft: Draft, statement: Statement): ProjectionNode {
  const children = new Map<string, ProjectionChild>();
  for (const [name, child] of draft) {
    statement.check();
    children.set(name, child instanceof Map ? finished(child, statement) : child);
  }
  const computes = [...children.values()].some((child) =>
    isNode(child) ? child.computes : child !== 'named',
  );
  return { children, byName: new NameMap(children), computes, statement };
}
