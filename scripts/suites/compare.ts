import type { Outcome } from './report.ts';
import type { KnownFailure } from './suite.ts';

export interface Comparison {
  readonly passed: number;
  readonly skipped: number;
  /** Regressions: failures that are not in the list of known ones. */
  readonly unexpected: readonly Outcome[];
  readonly expected: readonly Outcome[];
  /** Known failures whose tests now pass. */
  readonly outdated: readonly KnownFailure[];
}

export function compare(outcomes: readonly Outcome[], known: readonly KnownFailure[]): Comparison {
  const failed = outcomes.filter(({ result }) => result === 'failed');
  const isKnown = ({ test }: Outcome) => known.some((one) => names(one, test));
  const passes = (one: KnownFailure) =>
    one.sometimes === undefined &&
    outcomes.some(({ test }) => names(one, test)) &&
    !failed.some(({ test }) => names(one, test));
  return {
    passed: outcomes.filter(({ result }) => result === 'passed').length,
    skipped: outcomes.filter(({ result }) => result === 'skipped').length,
    unexpected: failed.filter((outcome) => !isKnown(outcome)),
    expected: failed.filter(isKnown),
    outdated: known.filter(passes),
  };
}

function names(known: KnownFailure, test: string): boolean {
  const parts = known.test.split('*').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(test);
}
