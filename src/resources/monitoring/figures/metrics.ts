import type { MemberSample } from '../../../engine/engine.ts';
import { diskMetrics } from './disk.ts';
import { hostMetrics } from './host.ts';
import type { Allowance } from './readings.ts';
import type { Sums } from './sums.ts';
import { sumsOf } from './sums.ts';
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

/** A figure of a member between two samples, by the name of its metric, as thresholds compare it. */
export function figureOf(
  name: string,
  { before, now, allowed }: { before: MemberSample | undefined; now: MemberSample; allowed: Allowance },
): number | undefined {
  let known = intervals.get(now);
  if (known === undefined || known.before !== before) {
    known = { before, sums: intervalOf(before, now, allowed) };
    intervals.set(now, known);
  }
  return allMetrics.get(name)?.read?.(known.sums, allowed);
}

/** By the later sample: hundreds of thresholds may be held against the same two. */
const intervals = new WeakMap<
  MemberSample,
  { readonly before: MemberSample | undefined; readonly sums: Sums }
>();

/** Why nothing is measured under a name. */
export function reasonOf(name: string): string {
  return allMetrics.get(name)?.reason ?? reasons.notCounted;
}

const allMetrics = new Map([...namedMetrics(hostMetrics), ...namedMetrics(diskMetrics)]);
