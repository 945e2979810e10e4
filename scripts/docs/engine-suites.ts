import { knownFailures } from '../suites/known.ts';
import { memoryServer } from '../suites/memory-server.ts';
import { mongoose } from '../suites/mongoose.ts';
import { pymongo } from '../suites/pymongo.ts';
import { code, table } from './markdown.ts';

/** The tests of clients that others have written, which `npm run suites` runs: what does not pass, and why. */
export function suitesPart(): string[] {
  return [
    '## Suites of clients\n',
    '`npm run suites -- NAME --source FOLDER` runs the tests of a client that others have written against an engine of its\n' +
      'own, and fails for any failure that is not in this table. `*` stands for any text.\n',
    ...[mongoose, pymongo, memoryServer].flatMap(({ name, what, source }) => [
      `${code(name)}: ${what}, from ${source}.\n`,
      table(
        ['Tests', 'Why they fail', 'Always'],
        (knownFailures[name] ?? []).map(({ test, reason, sometimes }) => [
          code(test.replaceAll('`', "'")),
          reason,
          sometimes ? '' : 'yes',
        ]),
      ),
    ]),
  ];
}
