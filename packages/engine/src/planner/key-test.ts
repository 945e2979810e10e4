import type { Condition, Filter } from '../language/filter/index.ts';
import { canDecodeValues } from '../storage/indexes/covered.ts';
import type { KeyTest } from '../storage/model/access-path.ts';
import type { IndexDefinition } from '../storage/model/index-definition.ts';

const combining: ReadonlySet<string> = new Set(['$and', '$or', '$nor', '$not']);

/**
 * Adds the paths that the filter tests to `names`. Returns false if the filter contains a near condition, or a part
 * that tests no path.
 */
export function addFiltered({ operator, children, leaf, near }: Filter['root'], names: Set<string>): boolean {
  if (near !== undefined) return false;
  if (leaf !== undefined) {
    names.add(leaf.path.text);
    return true;
  }
  return combining.has(operator) && (children ?? []).every((child) => addFiltered(child, names));
}

/**
 * Returns the positions of the fields in the index. Returns undefined if the index lacks a field, if a name
 * such as `0` could be an array index, or if one of the fields contains another.
 */
export function partsOf(index: IndexDefinition, names: ReadonlySet<string>): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  for (const name of names) {
    const i = index.parts.findIndex(({ path }) => path.text === name);
    if (i < 0 || index.parts[i]?.path.parts.some((part) => part.index >= 0)) return undefined;
    if ([...names].some((other) => other.startsWith(`${name}.`))) return undefined;
    found.add(i);
  }
  return found;
}

/**
 * Returns a test of the keys by those conditions of a filter that concern only fields of the index. `isMet` returns
 * true if a condition holds for all keys of the scan, so that the test would be useless.
 */
export function keyTestOf(
  index: IndexDefinition,
  root: Condition,
  isMet: (condition: Condition) => boolean,
): KeyTest | undefined {
  const names = new Set<string>();
  const tested = conjuncts(root).filter((condition) => {
    if (isMet(condition)) return false;
    const own = new Set<string>();
    if (!addFiltered(condition, own) || own.size === 0 || partsOf(index, own) === undefined) return false;
    for (const name of own) names.add(name);
    return true;
  });
  const parts = tested.length === 0 ? undefined : partsOf(index, names);
  if (parts === undefined || !canDecodeValues(index, parts)) return undefined;
  return { parts, accepts: (values) => tested.every((condition) => condition.matches(values)) };
}

function conjuncts(condition: Condition): readonly Condition[] {
  const { operator, children } = condition;
  return operator === '$and' && children !== undefined ? children.flatMap(conjuncts) : [condition];
}
