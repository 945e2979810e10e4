import { knownFailures } from '../suites/known.ts';
import { memoryServer } from '../suites/memory-server.ts';
import { mongoose } from '../suites/mongoose.ts';
import { pymongo } from '../suites/pymongo.ts';
import { code, table } from './markdown.ts';

/** Known failures of the third-party test suites that `npm run suites` runs, with reasons. */
export function suitesPart(): string[] {
  return [
    '## Suites of clients\n',
    '`npm run suites -- NAME --source FOLDER` runs the test suite of a client against an engine, and fails for any\n' +
      'failure that is not listed here. `*` matches any text.\n',
    ...[mongoose, pymongo, memoryServer].flatMap(({ name, what, source }) => [
      `${code(name)}: ${what}, from ${source}.\n`,
      table(
        ['Tests', 'Reason', 'Always'],
        (knownFailures[name] ?? []).map(({ test, reason, sometimes }) => [
          code(test.replaceAll('`', "'")),
          reason,
          sometimes ? '' : 'yes',
        ]),
      ),
    ]),
  ];
}
