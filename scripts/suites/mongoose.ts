import { join } from 'node:path';
import type { ClientSuite } from './suite.ts';

export const mongoose: ClientSuite = {
  name: 'mongoose',
  what: 'mongoose',
  source: 'github.com/Automattic/mongoose',
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
