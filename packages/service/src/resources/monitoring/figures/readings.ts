import type { Count, Level, Sums } from './sums.ts';

/** What a size allows a node. */
export interface Allowance {
  readonly connections: number;
  readonly diskBytes: number;
}

/** Reads a figure out of what lies between samples; undefined where it cannot be told. */
export type Reading = (sums: Sums, allowed: Allowance) => number | undefined;

/** The average over the samples. */
export const level =
  (name: Level, per = 1): Reading =>
  ({ levels, samples }) => {
    const sum = levels[name];
    return sum === undefined || samples === 0 ? undefined : sum / samples / per;
  };

/** How many in a second. */
export const rate =
  (name: Count): Reading =>
  ({ counts, millis }) => {
    const grown = counts[name];
    return grown === undefined || millis === 0 ? undefined : (grown * 1000) / millis;
  };

const divided = (upper: number | undefined, lower: number | undefined, times = 1): number | undefined =>
  upper === undefined || lower === undefined || lower === 0 ? undefined : (upper / lower) * times;

export const ratio =
  (upper: Reading, lower: Reading, times = 1): Reading =>
  (sums, allowed) =>
    divided(upper(sums, allowed), lower(sums, allowed), times);

/**
 * How much of one count comes to each of another. What nothing came of counts as if one had, so that reading a million
 * documents for none is no better than for one; and where nothing was asked it is 0.
 */
export const perEach =
  (upper: Count, lower: Count, times = 1): Reading =>
  ({ counts }) => {
    const each = counts[lower];
    return divided(counts[upper], each === undefined ? undefined : Math.max(each, 1), times);
  };

export const sumOf =
  (...parts: readonly Reading[]): Reading =>
  (sums, allowed) => {
    const values = parts.map((part) => part(sums, allowed));
    return values.reduce((sum, value) =>
      sum === undefined || value === undefined ? undefined : sum + value,
    );
  };

export const less =
  (from: Reading, what: Reading): Reading =>
  (sums, allowed) => {
    const [whole, part] = [from(sums, allowed), what(sums, allowed)];
    return whole === undefined || part === undefined ? undefined : whole - part;
  };

/** The share of the time, in percent, of a count of microseconds. */
export const busy =
  (name: Count): Reading =>
  ({ counts, millis }) =>
    divided(counts[name], millis * 1000, 100);

/** Of the milliseconds of all processors together in percent; those of guests are also the user's. */
export const processorShare =
  (name: Count): Reading =>
  ({ counts }) => {
    const uses: readonly Count[] = [
      ...(['cpu.user', 'cpu.nice', 'cpu.kernel', 'cpu.idle'] as const),
      ...(['cpu.iowait', 'cpu.irq', 'cpu.softirq', 'cpu.steal'] as const),
    ];
    const all = uses.reduce((sum, use) => sum + (counts[use] ?? 0), 0);
    return divided(counts[name], all, 100);
  };

export const times =
  (reading: Reading, factor: Reading): Reading =>
  (sums, allowed) => {
    const [value, by] = [reading(sums, allowed), factor(sums, allowed)];
    return value === undefined || by === undefined ? undefined : value * by;
  };

/** How many wait on the average: the milliseconds that all have waited, by those that have gone. */
export const depth =
  (name: Count): Reading =>
  ({ counts, millis }) =>
    divided(counts[name], millis);
