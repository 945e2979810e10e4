import { suites } from '../suites/all.ts';
import { readFigures } from '../suites/figures.ts';
import type { ClientSuite } from '../suites/suite.ts';
import { code, table } from './markdown.ts';

/** Known failures in the third-party test suites that `npm run suites` runs, with reasons. */
export function suitesPart(): string[] {
  const figures = readFigures();
  return [
    '## Suites of clients\n',
    '`npm run suites -- NAME --source FOLDER` runs the test suite of a client, such as a driver, with an engine. `FOLDER`\n' +
      'contains the public repository of the client. This table shows the last recorded run of some suites:\n',
    table(
      ['Suite', 'Version', 'Date', 'Passed', 'Failed', 'Skipped'],
      suites.flatMap(({ name }) => {
        const run = figures[name];
        if (run === undefined) return [];
        const { version = '', date, passed, failed, skipped } = run;
        return [[code(name), version, date, String(passed), String(failed), String(skipped)]];
      }),
    ),
    'The following tables list all tests that can fail. The command fails if any other test fails. In names of tests, `*`\n' +
      'stands for any text. The column Always contains "yes" if the test fails in every run.\n',
    ...suites.flatMap(({ name, what, source, known }) => [
      `${code(name)} contains ${what}. The source is ${source}. ${known.length === 0 ? 'No test is known to fail.' : 'These tests can fail:'}\n`,
      ...(known.length === 0 ? [] : [knownTable(known)]),
    ]),
  ];
}

function knownTable(known: ClientSuite['known']): string {
  return table(
    ['Tests', 'Reason: the test …', 'Always'],
    known.map(({ test, reason, sometimes }) => [
      code(test.replaceAll('`', "'")),
      reason,
      sometimes ? '' : 'yes',
    ]),
  );
}
