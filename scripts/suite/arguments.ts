import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export interface SuiteArguments {
  /** Parts of paths: only files whose path contains one of them run. If empty, all run. */
  readonly filters: readonly string[];
  readonly grep: RegExp | undefined;
  readonly concurrency: number;
  /** The limit for one file, in milliseconds. */
  readonly limit: number;
  /** The seed of property tests: the same on every run, so that a failure in CI points to the change. */
  readonly seed: number;
  /** Whether the seed was given: suites that choose a new seed on each run then use it too. */
  readonly isSeedGiven: boolean;
}

/**
 * The number of test processes beyond the number of processors: a whole run on two took 453 s with four, 424 s with
 * six.
 */
const WAITING = 4;

/** `npm test -- [part of a path…] [--grep PATTERN] [--concurrency N] [--timeout SECONDS] [--seed N]`. */
export function suiteArguments(args: readonly string[]): SuiteArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      grep: { type: 'string' },
      concurrency: { type: 'string', default: String(availableParallelism() + WAITING) },
      timeout: { type: 'string', default: '180' },
      seed: { type: 'string' },
    },
  });
  return {
    filters: positionals,
    grep: values.grep === undefined ? undefined : new RegExp(values.grep),
    concurrency: positive(values.concurrency, '--concurrency'),
    limit: positive(values.timeout, '--timeout') * 1000,
    seed: positive(values.seed ?? '1', '--seed'),
    isSeedGiven: values.seed !== undefined,
  };
}

function positive(text: string, flag: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${flag} takes a positive number, not '${text}'`);
  return number;
}
