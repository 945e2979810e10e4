import type { Difference } from './compare.ts';
import { isHeldOut, type Operation } from './operations.ts';
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

export function pairsOf(outcomes: readonly Outcome[]): Pair[] {
  const groups = Map.groupBy(outcomes, ({ operation, version }) => `${operation.id} ${version}`);
  return [...groups.values()].map((group) => {
    const [{ operation, version }] = group as [Outcome];
    return { operation, version, difference: union(group), stories: storiesWithDifferences(group) };
  });
}

function storiesWithDifferences(group: readonly Outcome[]): string[] {
  return [...new Set(group.filter(({ difference }) => !isSame(difference)).map(({ story }) => story))];
}

/**
 * Merges differences. A field counts as missing if any response of this service lacks it although the recording has it.
 */
function union(group: readonly Outcome[]): Difference {
  const all = (name: 'missing' | 'added' | 'values') => [
    ...new Set(group.flatMap(({ difference }) => difference[name])),
  ];
  const statuses = [...new Set(group.flatMap(({ difference: { status } }) => status ?? []))];
  return {
    ...(statuses.length > 0 && { status: statuses.join('; ') }),
    missing: all('missing'),
    added: all('added'),
    values: all('values'),
  };
}

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

export function divided(pairs: readonly Pair[]): { visible: Pair[]; heldOut: Pair[] } {
  const { visible = [], heldOut = [] } = Object.groupBy(pairs, ({ operation }) =>
    isHeldOut(operation) ? 'heldOut' : 'visible',
  );
  return { visible, heldOut };
}
