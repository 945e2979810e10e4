import type { MemberSample } from '@portolan/engine/interface/engine';
import { diskMetrics } from './disk.ts';
import { hostMetrics } from './host.ts';
import type { Allowance } from './readings.ts';
import type { Sums } from './sums.ts';
import { addedUp, sumsOf } from './sums.ts';
import { type Metric, reasons } from './unmeasured.ts';

/** Those that are also told as the highest value of their time. */
const withMost = [...Object.entries(hostMetrics), ...Object.entries(diskMetrics)].filter(
  ([, { most }]) => most === true,
);

/** What lies between two samples, with the highest values. */
export function intervalOf(before: MemberSample | undefined, now: MemberSample, allowed: Allowance): Sums {
  const sums = sumsOf(before, now);
  const most = withMost.flatMap(([name, { read }]) => {
    const value = read?.(sums, allowed);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...sums, most: Object.fromEntries(most) };
}

/** A metric with its `MAX_` one, where it has one. */
export function namedMetrics(metrics: Readonly<Record<string, Metric>>): ReadonlyMap<string, Metric> {
  const all = Object.entries(metrics).flatMap(([name, metric]) =>
    metric.most === true
      ? [
          [name, metric] as const,
          [`MAX_${name}`, { ...metric, read: (sums: Sums) => sums.most[name] }] as const,
        ]
      : [[name, metric] as const],
  );
  return new Map(all);
}

/** What alerts know of a member: samples of about the last minute, the newest last. */
export type Sampled = readonly MemberSample[];

/**
 * A figure of a member by the name of its metric, as thresholds compare it: between the two newest samples. Ratios are
 * those of the last minute, so that they are not good for ten seconds in which nobody asks.
 */
export function figureOf(name: string, samples: Sampled, allowed: Allowance): number | undefined {
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

function intervalsOf(samples: Sampled, allowed: Allowance): Intervals {
  const since = (samples.at(-1)?.taken ?? 0) - MINUTE_MS;
  const all = samples.map((now, place) => intervalOf(samples[place - 1], now, allowed));
  return {
    newest: all.at(-1),
    minute: addedUp(all.filter((_, place) => (samples[place]?.taken ?? 0) > since)),
  };
}

/** Hundreds of thresholds may be held against the same samples. */
const intervals = new WeakMap<Sampled, Intervals>();

/** Why nothing is measured under a name. */
export function reasonOf(name: string): string {
  return allMetrics.get(name)?.reason ?? reasons.notCounted;
}

const allMetrics = new Map([...namedMetrics(hostMetrics), ...namedMetrics(diskMetrics)]);
