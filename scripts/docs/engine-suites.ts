import { suites } from '../suites/all.ts';
import { readFigures } from '../suites/figures.ts';
import { code, table } from './markdown.ts';

/** Known failures in the third-party test suites that `npm run suites` runs, with reasons. */
export function suitesPart(): string[] {
  const figures = readFigures();
  return [
    '## Suites of clients\n',
    '`npm run suites -- NAME --source FOLDER` runs the test suite of a client against an engine, and fails for any\n' +
      'failure that is not listed here. `*` matches any text.\n',
    'The last recorded runs, each on the public repository of the client; "failed" counts only failures that are listed:\n',
    table(
      ['Suite', 'Version', 'Date', 'Passed', 'Failed', 'Skipped'],
      suites.flatMap(({ name }) => {
        const run = figures[name];
        if (run === undefined) return [];
        const { version = '', date, passed, failed, skipped } = run;
        return [[code(name), version, date, String(passed), String(failed), String(skipped)]];
      }),
    ),
    ...suites.flatMap(({ name, what, source, known }) => [
      `${code(name)}: ${what}, from ${source}.\n`,
      table(
        ['Tests', 'Reason', 'Always'],
        known.map(({ test, reason, sometimes }) => [
          code(test.replaceAll('`', "'")),
          reason,
          sometimes ? '' : 'yes',
        ]),
      ),
    ]),
  ];
}
