import { nullValue } from '../bson/value.ts';
import { type Bounds, boundsOfPoints, complement } from '../language/filter/bounds.ts';
import type { Leaf } from '../language/filter/filter.ts';
import type { Condition } from '../language/filter/index.ts';

/** An array whose single element meets several conditions at once (`$elemMatch`). */
export interface Scope {
  /** Number of path components that lead to the array. */
  readonly depth: number;
}

/** A bound that some key at a path has in every matching document. */
export interface Predicate {
  readonly path: string;
  readonly bounds: Bounds;
  /** Absent: the predicate applies to the document as a whole. */
  readonly scope?: Scope;
  /** The condition that the predicate was derived from. */
  readonly condition: Condition;
}

export interface Predicates {
  /** A conjunction. */
  readonly all: readonly Predicate[];
  /** Disjunctions: at least one alternative of each holds. */
  readonly either: ReadonlyArray<readonly Condition[]>;
  /** The predicates express the whole filter. */
  readonly complete: boolean;
}

/** The key of a missing field. */
const absent: Bounds = boundsOfPoints([nullValue]);

export function predicatesOf(root: Condition): Predicates {
  const all: Predicate[] = [];
  const either: Array<readonly Condition[]> = [];
  let complete = true;
  const visit = (condition: Condition, within: VisitContext): void => {
    const { operator, children = [], leaf } = condition;
    if (operator === '$and') {
      for (const child of children) visit(child, within);
    } else if (operator === '$or' && within.scope === undefined) {
      either.push(children);
      complete = false;
    } else if (operator === '$not' && !addNegation(condition, within, all)) complete = false;
    else if (operator !== '$not' && (leaf === undefined || !addLeaf(leaf, condition, within, all, visit))) {
      complete = false;
    }
  };
  visit(root, { prefix: '' });
  return { all, either, complete };
}

interface VisitContext {
  readonly prefix: string;
  readonly scope?: Scope;
  /** The array's own path, for conditions on its elements. */
  readonly path?: string;
}

type Visit = (condition: Condition, within: VisitContext) => void;

/** False if the predicates do not express the whole leaf. */
function addLeaf(
  leaf: Leaf,
  condition: Condition,
  within: VisitContext,
  all: Predicate[],
  visit: Visit,
): boolean {
  const path = pathIn(leaf, within);
  if (path === undefined) return false;
  const { bounds, inside } = leaf;
  if (inside !== undefined) {
    const scope = { depth: path.split('.').length };
    if ('documents' in inside) visit(inside.documents, { prefix: `${path}.`, scope });
    else for (const value of inside.values) visit(value, { prefix: '', scope, path });
    return false;
  }
  if (bounds === undefined) return false;
  all.push({ path, bounds, condition, ...(within.scope === undefined ? {} : { scope: within.scope }) });
  return bounds.exact === true && within.scope === undefined;
}

/** Below an array, a numeric name is ambiguous: a position or a field. */
function pathIn({ path }: Leaf, { prefix, path: own }: VisitContext): string | undefined {
  if (own !== undefined) return own;
  if (prefix !== '' && path.parts.some(({ index }) => index >= 0)) return undefined;
  return prefix + path.text;
}

/**
 * A document that fails a condition has all its keys outside the condition's bounds, provided that the bounds are
 * exact. A null key may stand for a missing field, and then says nothing about the elements of an array.
 */
function addNegation(condition: Condition, within: VisitContext, all: Predicate[]): boolean {
  const [child, ...others] = condition.children ?? [];
  const leaf = child?.leaf;
  if (leaf?.bounds === undefined || others.length > 0 || within.scope !== undefined) return false;
  if (leaf.bounds.exact === true) {
    all.push({ path: leaf.path.text, bounds: complement(leaf.bounds), condition });
    return true;
  }
  if (child?.operator !== '$exists') return false;
  all.push({ path: leaf.path.text, bounds: absent, condition });
  return false;
}
