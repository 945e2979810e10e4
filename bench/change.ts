import { type Figure, ratioOf } from './figure.ts';

/** One run, as it is kept. */
export interface Run {
  /** Processors, memory and Node.js. */
  readonly machine: string;
  /** `2026-11-23` */
  readonly measured: string;
  readonly commit?: string | undefined;
  readonly figures: readonly Figure[];
}

/** What a shared machine makes of two equal figures; less than that is no change. */
const NOISE = 0.1;

/**
 * By how much a figure differs from that of the run before, as a part of it; with a baseline its ratio does. Undefined
 * where there is nothing to compare: no such figure before, or one without a baseline on another machine.
 */
export function changeOf(figure: Figure, machine: string, before: Run | undefined): number | undefined {
  const then = before?.figures.find(({ name, unit }) => name === figure.name && unit === figure.unit);
  if (then === undefined) return undefined;
  const [now, earlier] = [ratioOf(figure), ratioOf(then)];
  if (now !== undefined && earlier !== undefined) return now / earlier - 1;
  return machine === before?.machine ? figure.value / then.value - 1 : undefined;
}

/** `+24 %`, `−11 %`, or `=` for what may be noise. */
export function changeText(change: number | undefined): string {
  if (change === undefined || !Number.isFinite(change)) return '';
  if (Math.abs(change) < NOISE) return '=';
  return `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(0)} %`;
}
