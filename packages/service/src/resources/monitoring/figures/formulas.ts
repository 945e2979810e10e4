import type { Count, Level, Sums } from './sums.ts';

/** Limits per node of an instance size. */
export interface Allowance {
  readonly connections: number;
  readonly diskBytes: number;
}

/** Computes a metric from sums over samples; undefined if an input is missing. */
export type Formula = (sums: Sums, allowed: Allowance) => number | undefined;

/** The average of a gauge over the samples. */
export const level =
  (name: Level, per = 1): Formula =>
  ({ levels, samples }) => {
    const sum = levels[name];
    return sum === undefined || samples === 0 ? undefined : sum / samples / per;
  };

/** The growth of a counter per second. */
export const rate =
  (name: Count): Formula =>
  ({ counts, millis }) => {
    const grown = counts[name];
    return grown === undefined || millis === 0 ? undefined : (grown * 1000) / millis;
  };

const divided = (upper: number | undefined, lower: number | undefined, times = 1): number | undefined =>
  upper === undefined || lower === undefined || lower === 0 ? undefined : (upper / lower) * times;

export const ratio =
  (upper: Formula, lower: Formula, times = 1): Formula =>
  (sums, allowed) =>
    divided(upper(sums, allowed), lower(sums, allowed), times);

/**
 * Divides one count by another. The divisor counts as at least 1: a query that scans a million documents and returns
 * none has the same quotient as a query that returns one. Without activity, the quotient is 0.
 */
export const quotientOf =
  (upper: Count, lower: Count, times = 1): Formula =>
  ({ counts }) => {
    const each = counts[lower];
    return divided(counts[upper], each === undefined ? undefined : Math.max(each, 1), times);
  };

export const sumOf =
  (...parts: readonly Formula[]): Formula =>
  (sums, allowed) => {
    const values = parts.map((part) => part(sums, allowed));
    return values.reduce((sum, value) =>
      sum === undefined || value === undefined ? undefined : sum + value,
    );
  };

export const difference =
  (from: Formula, what: Formula): Formula =>
  (sums, allowed) => {
    const [whole, part] = [from(sums, allowed), what(sums, allowed)];
    return whole === undefined || part === undefined ? undefined : whole - part;
  };

/** Returns a counter in microseconds as a percentage of the elapsed time. */
export const percentOfTime =
  (name: Count): Formula =>
  ({ counts, millis }) =>
    divided(counts[name], millis * 1000, 100);

/**
 * Returns a counter of CPU time as a percentage of the time of all processors. Guest time is not added to
 * this time, since user time includes it.
 */
export const processorShare =
  (name: Count): Formula =>
  ({ counts }) => {
    const uses: readonly Count[] = [
      ...(['cpu.user', 'cpu.nice', 'cpu.kernel', 'cpu.idle'] as const),
      ...(['cpu.iowait', 'cpu.irq', 'cpu.softirq', 'cpu.steal'] as const),
    ];
    const all = uses.reduce((sum, use) => sum + (counts[use] ?? 0), 0);
    return divided(counts[name], all, 100);
  };

export const times =
  (formula: Formula, factor: Formula): Formula =>
  (sums, allowed) => {
    const [value, by] = [formula(sums, allowed), factor(sums, allowed)];
    return value === undefined || by === undefined ? undefined : value * by;
  };

/** Average queue length: total waiting time divided by elapsed time. */
export const averageQueue =
  (name: Count): Formula =>
  ({ counts, millis }) =>
    divided(counts[name], millis);
