import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export interface SuiteArguments {
  /** Parts of paths. Only files whose path contains one of them run; if empty, all files run. */
  readonly filters: readonly string[];
  /** Whether to run the long tests in place of the others. */
  readonly isLong: boolean;
  readonly grep: RegExp | undefined;
  readonly concurrency: number;
  /** How long a process may run without an event of a test, in milliseconds. A test may take half of this time. */
  readonly limit: number;
  /**
   * The seed of property tests. It is the same in every run, so that a failure in CI is caused by the change under
   * test.
   */
  readonly seed: number;
  /** Whether the user passed the seed. Suites that otherwise choose a new seed for each run then use it, too. */
  readonly isSeedGiven: boolean;
}

/**
 * How many more test processes to run than there are processors, since many of them wait. On two processors, a whole run
 * took 453 s with four more processes, and 424 s with six more.
 */
const WAITING = 6;

/** Reads `npm test -- [part of a path…] [--long] [--grep PATTERN] [--concurrency N] [--timeout SECONDS] [--seed N]`. */
export function suiteArguments(args: readonly string[]): SuiteArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      long: { type: 'boolean', default: false },
      grep: { type: 'string' },
      concurrency: { type: 'string', default: String(availableParallelism() + WAITING) },
      timeout: { type: 'string', default: '1800' },
      seed: { type: 'string' },
    },
  });
  return {
    filters: positionals,
    isLong: values.long,
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
