/** A measured number, with its baseline and its target. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The baseline, measured in the same run. */
  readonly baseline?: { readonly name: string; readonly value: number };
  /** The target. Its field `of` says whether the target is for the value or for the ratio to the baseline. */
  readonly target?: Target;
  /** For plots of growth: the values, and the number of items at which each was measured. */
  readonly curve?: ReadonlyArray<readonly [size: number, value: number]>;
}

export interface Target {
  readonly of: 'value' | 'ratio';
  readonly bound: number;
  readonly better: 'higher' | 'lower';
}

export const atLeast = (bound: number, of: Target['of'] = 'value'): Target => ({
  of,
  bound,
  better: 'higher',
});
export const atMost = (bound: number, of: Target['of'] = 'value'): Target => ({ of, bound, better: 'lower' });

export function ratioOf({ value, baseline }: Figure): number | undefined {
  return baseline && value / baseline.value;
}

/** Whether a figure meets its target; undefined without a target. */
export function meets(figure: Figure): boolean | undefined {
  const { target } = figure;
  if (!target) return undefined;
  const measured = target.of === 'ratio' ? (ratioOf(figure) ?? Number.NaN) : figure.value;
  return target.better === 'higher' ? measured >= target.bound : measured <= target.bound;
}

/** A part of the benchmark: figures that share a setup. */
export interface Part {
  readonly name: string;
  measure(): Promise<Figure[]>;
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const below = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return sorted.length % 2 === 1 ? below : (below + (sorted[middle] ?? Number.NaN)) / 2;
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
