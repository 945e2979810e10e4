import { nullValue } from '../bson/value.ts';
import { type Bounds, boundsOfPoints, complement } from '../language/filter/bounds.ts';
import type { Leaf } from '../language/filter/filter.ts';
import type { Condition } from '../language/filter/index.ts';

/** An array of which one entry meets several conditions at once. */
export interface Scope {
  /** How many names lead to the array. */
  readonly depth: number;
}

/** What must hold for some key at a path in every document that matches. */
export interface Predicate {
  readonly path: string;
  readonly bounds: Bounds;
  /** Absent: it holds for the document, whatever else holds for it. */
  readonly scope?: Scope;
  /** The condition that it was made from. */
  readonly condition: Condition;
}

export interface Predicates {
  /** All of them hold. */
  readonly all: readonly Predicate[];
  /** One alternative of each holds. */
  readonly either: ReadonlyArray<readonly Condition[]>;
  /** The predicates say all that the filter asks for. */
  readonly complete: boolean;
}

/** What a document has that lacks the field. */
const absent: Bounds = boundsOfPoints([nullValue]);

export function predicatesOf(root: Condition): Predicates {
  const all: Predicate[] = [];
  const either: Array<readonly Condition[]> = [];
  let complete = true;
  const visit = (condition: Condition, within: Within): void => {
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

interface Within {
  readonly prefix: string;
  readonly scope?: Scope;
  /** The path of single entries, whatever path their conditions name. */
  readonly path?: string;
}

type Visit = (condition: Condition, within: Within) => void;

/** False when the predicates say less than the leaf. */
function addLeaf(leaf: Leaf, condition: Condition, within: Within, all: Predicate[], visit: Visit): boolean {
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

/** Below an array, names that are positions mean more than one thing. */
function pathIn({ path }: Leaf, { prefix, path: own }: Within): string | undefined {
  if (own !== undefined) return own;
  if (prefix !== '' && path.parts.some(({ index }) => index >= 0)) return undefined;
  return prefix + path.text;
}

/**
 * What meets no condition has all its keys where the condition has none, provided that all keys there meet it. A null
 * may stand for something that is not there, and then says nothing about what an array holds.
 */
function addNegation(condition: Condition, within: Within, all: Predicate[]): boolean {
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
