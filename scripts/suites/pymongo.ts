import { join } from 'node:path';
import type { ClientSuite } from './suite.ts';

/** Ends a test that waits forever. */
const TEST_SECONDS = '120';

const halves = [
  { name: 'sync', marker: 'default', folder: 'test', without: ['test/asynchronous', 'test/mockupdb'] },
  { name: 'async', marker: 'default_async', folder: 'test/asynchronous', without: [] },
] as const;

export const pymongo: ClientSuite = {
  name: 'pymongo',
  what: 'PyMongo, both halves, with the tests of the specifications of drivers',
  source: 'github.com/mongodb/mongo-python-driver',
  setUp({ source, own }) {
    const python = join(own, 'venv', 'bin', 'python');
    const needed = ['-e', source, '-r', join(source, 'requirements', 'test.txt'), 'pytest-timeout'];
    return [
      { makes: python, program: 'python3', args: ['-m', 'venv', join(own, 'venv')] },
      {
        makes: join(own, 'venv', 'bin', 'pytest'),
        program: python,
        args: ['-m', 'pip', 'install', '-q', ...needed],
      },
    ];
  },
  runs: ({ own }, { host, port, username, password }) =>
    halves.map(({ name, marker, folder, without }) => {
      const report = join(own, `${name}.xml`);
      const options = [
        '-q',
        '-p',
        'no:cacheprovider',
        '--tb=native',
        '--timeout',
        TEST_SECONDS,
        '-m',
        marker,
      ];
      const ignored = without.map((path) => `--ignore=${path}`);
      return {
        part: name,
        program: join(own, 'venv', 'bin', 'python'),
        args: ['-m', 'pytest', ...options, `--junitxml=${report}`, ...ignored, folder],
        env: { DB_IP: host, DB_PORT: String(port), DB_USER: username, DB_PASSWORD: password },
        report,
      };
    }),
};
