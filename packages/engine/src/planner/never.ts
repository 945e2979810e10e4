import type { Condition } from '../language/filter/index.ts';

/** True if the filter matches no document, as for `$in` with an empty list. */
export function neverMatches({ operator, children = [], leaf }: Condition): boolean {
  if (operator === '$and') return children.some(neverMatches);
  if (operator === '$or') return children.length > 0 && children.every(neverMatches);
  return operator === '$alwaysFalse' || leaf?.never === true;
}
