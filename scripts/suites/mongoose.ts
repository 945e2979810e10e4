import { join } from 'node:path';
import type { ClientSuite, KnownFailure } from './suite.ts';

/** Known failures. A regression must not be added here. */
const known: readonly KnownFailure[] = [
  {
    test: 'connections: openUri (gh-5304) › with mongoose.createConnection()',
    reason: 'requires a connection string without a user',
  },
  ...['watch() (gh-5964)', 'using next() and hasNext() before connecting (gh-16034)'].map((name) => ({
    test: `Model bug fixes 3.6 features watch() › ${name}`,
    reason:
      'inserts on an open connection while the change stream that should see the insert is still logging in',
    sometimes: true as const,
  })),
  {
    test: 'QueryCursor › closing query cursor emits `close` event only once (gh-8835)',
    reason: 'allows only 20 ms for a query and for closing its cursor',
    sometimes: true,
  },
];

export const mongoose: ClientSuite = {
  name: 'mongoose',
  what: 'the tests of mongoose',
  source: 'github.com/Automattic/mongoose',
  known,
  setUp: ({ source }) => [
    {
      makes: join(source, 'node_modules'),
      program: 'npm',
      args: ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
    },
  ],
  runs({ source, own }, { uri }) {
    const database = uri.replace('/?', '/mongoose_test?');
    const report = join(own, 'report.xml');
    const reporter = ['--reporter', 'xunit', '--reporter-option', `output=${report}`];
    const tests = ['--ignore', 'test/encryption/**/*.test.js', './test/**/*.test.js'];
    return [
      {
        program: join(source, 'node_modules', '.bin', 'mocha'),
        args: ['--exit', '--timeout', '30000', ...reporter, ...tests],
        env: { MONGOOSE_TEST_URI: database, MONGOOSE_REPLSET_URI: database, START_REPLICA_SET: '1' },
        report,
      },
    ];
  },
};
