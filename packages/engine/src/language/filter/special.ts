import { ServerError } from '../../errors/server-error.ts';
import type { Condition, Ordered } from './filter.ts';

/**
 * The near and text conditions of a filter. A filter may contain at most one of each kind, and only at a position
 * where every matching document must satisfy it.
 */
export interface SpecialConditions {
  readonly near?: Ordered | undefined;
  readonly text: boolean;
}

/** Throws `BadValue` if a near or text condition is misplaced, and 291 if the index that it needs is missing. */
export function specialConditions(root: Condition): SpecialConditions {
  const found: Found = { nears: [], texts: 0, needs: [] };
  collect(root, [], found);
  const { nears, texts, needs } = found;
  if (nears.length > 1) throw new ServerError('BadValue', 'Too many geoNear expressions');
  if (texts > 1) throw new ServerError('BadValue', 'Too many text expressions');
  if (nears.length > 0 && texts > 0) {
    throw new ServerError('BadValue', 'text and geoNear not allowed in same query');
  }
  checkPrefix(root, needs);
  const [near] = nears;
  return { near, text: texts > 0 };
}

export function nearNotAtTop(): ServerError {
  return new ServerError('BadValue', 'geoNear must be top-level expr');
}

interface Found {
  readonly nears: Ordered[];
  texts: number;
  needs: readonly string[];
}

function checkPrefix(root: Condition, needs: readonly string[]): void {
  if (needs.length === 0) return;
  const given = new Set(
    (root.operator === '$and' ? (root.children ?? []) : [root]).flatMap(({ leaf }) =>
      leaf?.equals === undefined ? [] : [leaf.path.text],
    ),
  );
  if (needs.every((path) => given.has(path))) return;
  throw new ServerError(
    'NoQueryExecutionPlans',
    'error processing query: planner returned error :: caused by :: failed to use text index to satisfy $text ' +
      'query (if text index is compound, are equality predicates given for all prefix fields?)',
  );
}

function collect(
  { operator, near, needs, children }: Condition,
  above: readonly string[],
  found: Found,
): void {
  if (near !== undefined) {
    if (above.some((name) => name !== '$and')) throw nearNotAtTop();
    found.nears.push(near);
  } else if (operator === '$text') {
    if (above.includes('$nor') || above.includes('$not')) {
      throw new ServerError('BadValue', 'text expression not allowed in nor');
    }
    found.texts++;
    found.needs = needs ?? [];
  }
  for (const child of children ?? []) collect(child, [...above, operator], found);
}
