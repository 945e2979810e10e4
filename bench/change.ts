import { type Figure, ratioOf } from './figure.ts';

/** The stored results of one run. */
export interface Run {
  /** The machine: processors, memory and Node.js. */
  readonly machine: string;
  /** `2026-11-23` */
  readonly measured: string;
  readonly commit?: string | undefined;
  readonly figures: readonly Figure[];
}

/** Noise on a shared machine; smaller differences count as no change. */
const NOISE = 0.1;

/**
 * The relative change of a figure since the previous run, of its ratio if it has a baseline. Undefined if there is
 * nothing to compare: no such figure before, or one without a baseline on another machine.
 */
export function changeOf(figure: Figure, machine: string, before: Run | undefined): number | undefined {
  const then = before?.figures.find(({ name, unit }) => name === figure.name && unit === figure.unit);
  if (then === undefined) return undefined;
  const [now, earlier] = [ratioOf(figure), ratioOf(then)];
  if (now !== undefined && earlier !== undefined) return now / earlier - 1;
  return machine === before?.machine ? figure.value / then.value - 1 : undefined;
}

/** `+24 %`, `−11 %`, or `=` within the noise. */
export function changeText(change: number | undefined): string {
  if (change === undefined || !Number.isFinite(change)) return '';
  if (Math.abs(change) < NOISE) return '=';
  return `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(0)} %`;
}
