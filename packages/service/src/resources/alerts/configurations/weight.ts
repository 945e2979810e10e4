import { expandedSize } from '@portolan/foundation/pattern-size';
import { configurationFaults } from './faults.ts';
import type { ConfigurationRow } from './rows.ts';

/**
 * Maximum weight of all configurations of a project. The process that serves all requests also reads and evaluates the
 * configurations, at short intervals. One event can cause all of their notifications at once.
 */
export const MAX_WEIGHT = 4 * 1024 * 1024;
/** The weight of a notification in addition to its text, since each notification becomes a task. */
export const NOTIFICATION_WEIGHT = 1000;
/**
 * The weight of each character of a pattern, since a pattern is compared with many names. Repetitions are expanded
 * first.
 */
export const PATTERN_WEIGHT = 100;

/** Returns the weight of a configuration: its size in bytes, and more for parts that are expensive. */
export function weightOf({ document, secrets }: Pick<ConfigurationRow, 'document' | 'secrets'>): number {
  const { matchers, notifications } = document;
  const patterns = matchers
    .filter(({ operator }) => operator === 'REGEX')
    .map(({ value }) => expandedSize(value));
  return (
    Buffer.byteLength(JSON.stringify(document)) +
    (secrets?.length ?? 0) +
    NOTIFICATION_WEIGHT * notifications.length +
    PATTERN_WEIGHT * patterns.reduce((sum, size) => sum + size, 0)
  );
}

/** Returns the cost of evaluating a configuration (see `Turns`). */
export function costOf({ weight }: Pick<ConfigurationRow, 'weight'>): number {
  return 1 + weight / PATTERN_WEIGHT;
}

interface OtherWeights {
  /** The weight of the other configurations of the project. */
  readonly others: number;
  /** The present weight of the configuration; 0 for a new one. */
  readonly former: number;
}

/** Throws if the configurations of a project would weigh too much. A configuration may always become lighter. */
export function checkWeight(weight: number, { others, former }: OtherWeights): void {
  if (weight > former && weight + others > MAX_WEIGHT)
    throw configurationFaults.ALERT_CONFIGS_TOO_LARGE(MAX_WEIGHT, NOTIFICATION_WEIGHT, PATTERN_WEIGHT);
}
