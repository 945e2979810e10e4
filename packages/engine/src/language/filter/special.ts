import { plannerError } from '../../errors/planner-error.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Condition, Ordered } from './filter.ts';

/**
 * The near and text conditions of a filter. A filter may contain at most one of each kind, and only where every
 * matching document must satisfy the condition.
 */
export interface SpecialConditions {
  readonly near?: Ordered | undefined;
  readonly text: boolean;
}

/**
 * Throws `BadValue` if a near or text condition is misplaced or not the only one. Throws
 * `NoQueryExecutionPlans` if the filter does not compare by equality the fields that precede the text in the
 * index.
 */
export function specialConditions(root: Condition): SpecialConditions {
  const found: Found = { nears: [], texts: 0 };
  collect(root, { operators: [], beside: [] }, found);
  const { nears, texts } = found;
  if (nears.length > 1) throw new ServerError('BadValue', 'Too many geoNear expressions');
  if (texts > 1) throw new ServerError('BadValue', 'Too many text expressions');
  if (nears.length > 0 && texts > 0) {
    throw new ServerError('BadValue', 'text and geoNear not allowed in same query');
  }
  const [near] = nears;
  return { near, text: texts > 0 };
}

export function nearNotAtTop(): ServerError {
  return new ServerError('BadValue', 'geoNear must be top-level expr');
}

interface Found {
  readonly nears: Ordered[];
  texts: number;
}

interface Position {
  /** The operators above a condition. */
  readonly operators: readonly string[];
  /** If the operator above is `$and`: its conditions, including the condition itself. Otherwise empty. */
  readonly beside: readonly Condition[];
  /** The position of the operator above. */
  readonly above?: Position;
}

/** Throws unless the filter compares by equality all fields that precede the text in the index. */
function checkPrefix(needs: readonly string[], position: Position): void {
  if (needs.every((path) => requiresEquality(path, position))) return;
  throw plannerError(
    'failed to use text index to satisfy $text query ' +
      '(if text index is compound, are equality predicates given for all prefix fields?)',
  );
}

function collect({ operator, near, needs, children }: Condition, above: Position, found: Found): void {
  const { operators } = above;
  if (near !== undefined) {
    if (operators.some((name) => name !== '$and')) throw nearNotAtTop();
    found.nears.push(near);
  } else if (operator === '$text') {
    if (operators.includes('$nor') || operators.includes('$not')) {
      throw new ServerError('BadValue', 'text expression not allowed in nor');
    }
    found.texts++;
    if (found.texts === 1) checkPrefix(needs ?? [], above);
  }
  if (children === undefined) return;
  const below = { operators: [...operators, operator], beside: operator === '$and' ? children : [], above };
  for (const child of children) collect(child, below, found);
}

/** True if a condition that must be true at this position compares the path by equality. */
function requiresEquality(path: string, { beside, above }: Position): boolean {
  const compares = beside.some(({ leaf }) => leaf?.equals !== undefined && leaf.path.text === path);
  return compares || (above !== undefined && requiresEquality(path, above));
}
