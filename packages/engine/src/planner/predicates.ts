import { nullValue } from '../bson/value.ts';
import { type Bounds, boundsOfPoints, complement, holdsNull } from '../language/filter/bounds.ts';
import type { CollatedBounds } from '../language/filter/collated-bounds.ts';
import type { Leaf } from '../language/filter/filter.ts';
import type { Condition } from '../language/filter/index.ts';

/** An array in which a single element must satisfy several conditions (`$elemMatch`). */
export interface Scope {
  /** Number of path components up to the array. */
  readonly depth: number;
}

/** Bounds for a path. In every matching document, a key at the path lies within the bounds. */
export interface Predicate {
  readonly path: string;
  readonly bounds: Bounds;
  /** The array of which one element must meet the condition. If absent, the whole document must meet it. */
  readonly scope?: Scope;
  /** The condition from which the predicate was derived. */
  readonly condition: Condition;
  /** True if the bounds are valid only for documents without arrays on the path. */
  readonly scalar?: boolean;
  /** True if a document without the field can match, even if the condition fails on an empty document. */
  readonly mayBeMissing?: boolean;
}

/** A predicate on texts under a collation. Its bounds are computed only for an index with this collation. */
interface TextPredicate extends Omit<Predicate, 'bounds'> {
  readonly collated: CollatedBounds;
  /** True if the values lie outside the bounds. */
  readonly negated: boolean;
}

export interface Predicates {
  /** Predicates that must all be true. */
  readonly all: readonly Predicate[];
  /** Predicates on texts under a collation. They bound only the keys of an index with the same collation. */
  readonly texts: readonly TextPredicate[];
  /** Disjunctions. In each of them, at least one alternative must be true. */
  readonly either: ReadonlyArray<readonly Condition[]>;
  /** True if the predicates express the whole filter. */
  readonly complete: boolean;
}

/** The key of a missing field. */
const absent: Bounds = boundsOfPoints([nullValue]);

export function predicatesOf(root: Condition): Predicates {
  const all: Predicate[] = [];
  const texts: TextPredicate[] = [];
  const either: Array<readonly Condition[]> = [];
  let complete = true;
  const visit = (condition: Condition, within: VisitContext): void => {
    const { operator, children = [], leaf } = condition;
    if (operator === '$and') {
      for (const child of children) visit(child, within);
    } else if (operator === '$or' && within.scope === undefined) {
      either.push(children);
      complete = false;
    } else if (condition.implied !== undefined) {
      if (within.prefix === '' && within.scope === undefined) addImplied(condition, { all, texts });
      complete = false;
    } else if (operator === '$not' && !addNegation(condition, within, { all, texts })) complete = false;
    else if (
      operator !== '$not' &&
      (leaf === undefined || !addLeaf(leaf, condition, within, { all, texts }, visit))
    ) {
      complete = false;
    }
  };
  visit(root, { prefix: '' });
  return { all, texts, either, complete };
}

interface VisitContext {
  readonly prefix: string;
  readonly scope?: Scope;
  /** For conditions on the elements of an array: the path of this array. */
  readonly path?: string;
}

/** The predicates found so far. */
interface Found {
  readonly all: Predicate[];
  readonly texts: TextPredicate[];
}

type Visit = (condition: Condition, within: VisitContext) => void;

/** Adds the predicates of a leaf. Returns false if they do not express the whole leaf. */
function addLeaf(
  leaf: Leaf,
  condition: Condition,
  within: VisitContext,
  { all, texts }: Found,
  visit: Visit,
): boolean {
  const path = pathIn(leaf, within);
  if (path === undefined) return false;
  const { bounds, inside } = leaf;
  if (inside !== undefined) {
    // An index has keys for the elements of an array, but not for the elements of an array within it.
    if (within.path !== undefined) return false;
    const scope = { depth: path.split('.').length };
    if ('documents' in inside) visit(inside.documents, { prefix: `${path}.`, scope });
    else for (const value of inside.values) visit(value, { prefix: '', scope, path });
    return false;
  }
  const { collated } = leaf;
  if (collated !== undefined) texts.push({ path, collated, negated: false, condition, ...scoped(within) });
  if (bounds === undefined) return false;
  all.push({ path, bounds, condition, ...scoped(within) });
  return bounds.exact === true && within.scope === undefined;
}

function addImplied(condition: Condition, { all, texts }: Found): void {
  for (const { path, bounds, collated, ...rest } of condition.implied ?? []) {
    if (collated !== undefined) texts.push({ path, collated, negated: false, condition, ...rest });
    if (bounds !== undefined) all.push({ path, bounds, condition, ...rest });
  }
}

function scoped({ scope }: VisitContext): Pick<Predicate, 'scope'> {
  return scope === undefined ? {} : { scope };
}

/**
 * Returns the full path of a leaf. Returns undefined for a numeric name below an array, because the number can be an
 * array index or a field name.
 */
function pathIn({ path }: Leaf, { prefix, path: own }: VisitContext): string | undefined {
  if (own !== undefined) return own;
  if (prefix !== '' && path.parts.some(({ index }) => index >= 0)) return undefined;
  return prefix + path.text;
}

/**
 * Adds the predicates of a negated condition. If the bounds of the condition are exact, all keys of a
 * document that does not satisfy the condition lie outside these bounds. A negation within `$elemMatch` adds
 * no predicates, because a null key may belong to a missing field rather than to an array element.
 */
function addNegation(condition: Condition, within: VisitContext, { all, texts }: Found): boolean {
  const [child, ...others] = condition.children ?? [];
  const leaf = child?.leaf;
  if (leaf === undefined || others.length > 0 || within.scope !== undefined) return false;
  const { collated } = leaf;
  if (collated !== undefined) texts.push({ path: leaf.path.text, collated, negated: true, condition });
  if (leaf.bounds === undefined) return false;
  if (leaf.bounds.exact === true) {
    // An empty array has the key of null, although it is not null.
    const scalar = holdsNull(leaf.bounds);
    all.push({ path: leaf.path.text, bounds: complement(leaf.bounds), condition, scalar });
    return true;
  }
  if (child?.operator !== '$exists') return false;
  all.push({ path: leaf.path.text, bounds: absent, condition });
  return false;
}
