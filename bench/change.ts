import { type Figure, ratioOf } from './figure.ts';

/** The stored results of a run. */
export interface Run {
  /** The machine: processors, memory and Node.js. */
  readonly machine: string;
  /** A date such as `2026-11-23`. */
  readonly measured: string;
  readonly commit?: string | undefined;
  readonly figures: readonly Figure[];
}

/** Smaller relative differences count as no change, since a shared machine is noisy. */
const NOISE = 0.1;

/**
 * Returns the relative change of a figure since the previous run. For a figure with a baseline, this is the change of
 * its ratio to the baseline. Undefined if the figures cannot be compared: the previous run lacks the figure, or there
 * is no baseline and the run was on another machine.
 */
export function changeOf(figure: Figure, machine: string, before: Run | undefined): number | undefined {
  const then = before?.figures.find(({ name, unit }) => name === figure.name && unit === figure.unit);
  if (then === undefined) return undefined;
  const [now, earlier] = [ratioOf(figure), ratioOf(then)];
  if (now !== undefined && earlier !== undefined) return now / earlier - 1;
  return machine === before?.machine ? figure.value / then.value - 1 : undefined;
}

/** Formats a change: `+24 %`, `−11 %`, or `=` if it is within the noise. */
export function changeText(change: number | undefined): string {
  if (change === undefined || !Number.isFinite(change)) return '';
  if (Math.abs(change) < NOISE) return '=';
  return `${change > 0 ? '+' : '−'}${Math.abs(change * 100).toFixed(0)} %`;
}
