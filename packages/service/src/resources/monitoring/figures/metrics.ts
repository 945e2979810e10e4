import type { MemberSample } from '@portolan/engine/interface/engine';
import { diskMetrics } from './disk.ts';
import type { Allowance } from './formulas.ts';
import { hostMetrics } from './host.ts';
import type { Sums } from './sums.ts';
import { sumOfAll, sumsOf } from './sums.ts';
import { type Metric, reasons } from './unmeasured.ts';

/** Metrics that also have a `MAX_` form. */
const metricsWithMax = [...Object.entries(hostMetrics), ...Object.entries(diskMetrics)].filter(
  ([, { hasMax }]) => hasMax === true,
);

/** Returns the changes between two samples, with the values of the metrics that have a `MAX_` form. */
export function intervalOf(before: MemberSample | undefined, now: MemberSample, allowed: Allowance): Sums {
  const sums = sumsOf(before, now);
  const maxima = metricsWithMax.flatMap(([name, { read }]) => {
    const value = read?.(sums, allowed);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...sums, maxima: Object.fromEntries(maxima) };
}

/** Returns all metrics by name, including the `MAX_` forms. */
export function namedMetrics(metrics: Readonly<Record<string, Metric>>): ReadonlyMap<string, Metric> {
  const all = Object.entries(metrics).flatMap(([name, metric]) =>
    metric.hasMax === true
      ? [
          [name, metric] as const,
          [`MAX_${name}`, { ...metric, read: (sums: Sums) => sums.maxima[name] }] as const,
        ]
      : [[name, metric] as const],
  );
  return new Map(all);
}

/** Samples of a member over about the last minute, newest last. Alerts evaluate them. */
export type SampleWindow = readonly MemberSample[];

/**
 * Returns the value of a metric, for comparison with alert thresholds. Most values are computed from the two newest
 * samples of a member. Ratios are computed over the last minute, so that they do not become 0 after ten seconds without
 * operations.
 */
export function figureOf(name: string, samples: SampleWindow, allowed: Allowance): number | undefined {
  const metric = allMetrics.get(name);
  if (metric?.read === undefined) return undefined;
  let known = intervals.get(samples);
  if (known === undefined) {
    known = intervalsOf(samples, allowed);
    intervals.set(samples, known);
  }
  const sums = metric.isRatio ? known.minute : known.newest;
  return sums && metric.read(sums, allowed);
}

const MINUTE_MS = 60_000;

interface Intervals {
  readonly newest: Sums | undefined;
  readonly minute: Sums;
}

function intervalsOf(samples: SampleWindow, allowed: Allowance): Intervals {
  const since = (samples.at(-1)?.taken ?? 0) - MINUTE_MS;
  const all = samples.map((now, index) => intervalOf(samples[index - 1], now, allowed));
  return {
    newest: all.at(-1),
    minute: sumOfAll(all.filter((_, index) => (samples[index]?.taken ?? 0) > since)),
  };
}

/** Caches the changes between samples, because hundreds of thresholds may read the same samples. */
const intervals = new WeakMap<SampleWindow, Intervals>();

/** Returns why the embedded engine does not measure a metric; undefined if the engine measures it. */
export function reasonOf(name: string): string | undefined {
  const metric = allMetrics.get(name);
  return metric === undefined ? reasons.notCounted : metric.reason;
}

const allMetrics = new Map([...namedMetrics(hostMetrics), ...namedMetrics(diskMetrics)]);
