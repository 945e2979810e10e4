import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientSuite } from './suite.ts';

const root = dirname(dirname(import.meta.dirname));
const library = join(root, 'dist', 'library', 'memory-server');
const PACKAGE = 'packages/mongodb-memory-server-core';
/** The tests of its public interface; all others concern binaries and their download. */
const FILES = [
  'MongoMemoryServer',
  'MongoMemoryServer-restart',
  'MongoMemoryReplSet',
  'MongoMemoryReplSet-restart',
];
const EXAMPLES = ['singleDB', 'multipleDB', 'replset-multi'];

/** The tests use our classes instead of its own; its test helpers stay. */
function configuration(source: string, report: string): object {
  const ours = { index: 'index', MongoMemoryServer: 'server', MongoMemoryReplSet: 'repl-set' };
  const inner = { MongoInstance: 'instance', errors: 'errors' };
  const map = (names: object, folder: string) =>
    Object.entries(names).map(([theirs, file]) => [
      `^\\.\\./${folder}${theirs}$`,
      join(library, `${file}.js`),
    ]);
  return {
    rootDir: join(source, PACKAGE),
    roots: ['<rootDir>/src/__tests__'],
    testMatch: [...FILES, ...EXAMPLES].map((name) => `**/${name}.test.ts`),
    testEnvironment: 'node',
    transform: { '\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }] },
    moduleNameMapper: Object.fromEntries([...map(ours, ''), ...map(inner, 'util/')]),
    snapshotFormat: { escapeString: true, printBasicPrototype: true },
    reporters: ['default', [join(root, 'scripts/suites/jest-reporter.cjs'), { report }]],
  };
}

export const memoryServer: ClientSuite = {
  name: 'mongodb-memory-server',
  what: 'the package whose classes `portolan/memory-server` has, the tests of its interface',
  source: 'github.com/typegoose/mongodb-memory-server',
  setUp: ({ source }) => [
    {
      makes: join(source, 'node_modules'),
      program: 'npm',
      args: ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
    },
  ],
  runs({ source, own }) {
    const report = join(own, 'report.xml');
    const config = join(own, 'jest.config.json');
    writeFileSync(config, JSON.stringify(configuration(source, report)));
    const jest = join(source, 'node_modules', 'jest', 'bin', 'jest.js');
    // As users load it: built, with `require`.
    const script = `node ${join(root, 'scripts/build.ts')} ; exec node ${jest} --ci --runInBand --config ${config}`;
    return [{ program: 'sh', args: ['-c', script], report }];
  },
};
