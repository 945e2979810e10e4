import type { Difference } from './compare.ts';
import type { Operation } from './operations.ts';
import type { Outcome } from './replay.ts';

/** The results for one operation in one version, from all of its recordings. */
export interface Pair {
  readonly operation: Operation;
  readonly version: string;
  readonly difference: Difference;
  readonly stories: readonly string[];
}

export interface Score {
  readonly pairs: number;
  readonly status: number;
  readonly complete: number;
  readonly identical: number;
}

/** Identifies a pair. */
export const keyOf = ({ operation, version }: Pick<Pair, 'operation' | 'version'>) =>
  `${operation.id} ${version}`;

/** Returns the pairs of outcomes. `newer` contains the outcomes of newer recordings. */
export function pairsOf(outcomes: readonly Outcome[], newer: readonly Outcome[]): Pair[] {
  const groups = Map.groupBy(outcomes, keyOf);
  const newerGroups = Map.groupBy(newer, keyOf);
  return [...groups].map(([key, group]) => {
    const [{ operation, version }] = group as [Outcome];
    const difference = withoutFormer(union(group), newerGroups.get(key) ?? []);
    return { operation, version, difference, stories: storiesWithDifferences(group) };
  });
}

function storiesWithDifferences(group: readonly Outcome[]): string[] {
  return [...new Set(group.filter(({ difference }) => !isSame(difference)).map(({ story }) => story))];
}

/**
 * Merges differences. A field counts as missing if it is missing in any response although the recording of this response
 * has it. Lists of resources are an exception, since their items depend on what else exists: their fields count as
 * missing only if they are missing in all of these lists.
 */
function union(group: readonly Outcome[]): Difference {
  const all = (name: 'missing' | 'added' | 'values') => [
    ...new Set(group.flatMap(({ difference }) => difference[name])),
  ];
  const statuses = [...new Set(group.flatMap(({ difference: { status } }) => status ?? []))];
  const isNowhere = (side: 'recorded' | 'own') => (name: string) =>
    !RESOURCES.test(name) || group.every(({ paths }) => !paths[side].has(name));
  return {
    ...(statuses.length > 0 && { status: statuses.join('; ') }),
    missing: all('missing').filter(isNowhere('own')),
    added: all('added').filter(isNowhere('recorded')),
    values: all('values'),
  };
}

/** Fields of the items of a list that is the whole response. */
const RESOURCES = /^(results)?\[\]\./;

/** Removes differences in fields for which newer recordings are like the responses of this service. */
function withoutFormer(difference: Difference, newer: readonly Outcome[]): Difference {
  const known = new Set(newer.flatMap(({ paths: { recorded } }) => [...recorded]));
  const hasParent = (name: string) => known.size > 0 && (!name.includes('.') || known.has(parentOf(name)));
  return {
    ...difference,
    missing: difference.missing.filter((name) => known.has(name) || !hasParent(name)),
    added: difference.added.filter((name) => !known.has(name)),
  };
}

/** Returns the path of the field that contains a field. */
const parentOf = (name: string) => name.replace(/(\[\])*\.[^.]+$/, '');

export function isSame({ status, missing, added, values }: Difference): boolean {
  return status === undefined && missing.length + added.length + values.length === 0;
}

export function scoreOf(pairs: readonly Pair[]): Score {
  const count = (holds: (difference: Difference) => boolean) =>
    pairs.filter(({ difference }) => holds(difference)).length;
  return {
    pairs: pairs.length,
    status: count(({ status }) => status === undefined),
    complete: count(({ status, missing }) => status === undefined && missing.length === 0),
    identical: count(isSame),
  };
}
