import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

export interface SuiteArguments {
  /** Parts of paths; files whose path contains one of them are run. All, when there are none. */
  readonly filters: readonly string[];
  readonly grep: RegExp | undefined;
  readonly concurrency: number;
  /** Milliseconds for one file. */
  readonly limit: number;
  /** What property tests draw their cases from: the same on every run, so that a run of CI tells of the change alone. */
  readonly seed: number;
  /** Whether it was given: suites that draw another seed on each run use it too. */
  readonly isSeedGiven: boolean;
}

/** So many test processes more than processors: a whole run on two took 570 s with three, 446 with four. */
const WAITING = 2;

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
