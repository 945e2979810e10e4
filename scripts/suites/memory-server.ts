import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClientSuite, KnownFailure } from './suite.ts';

const root = dirname(dirname(import.meta.dirname));
const library = join(root, 'packages/engine/dist/library/memory-server');
const PACKAGE = 'packages/mongodb-memory-server-core';
/** The tests of the package's public interface. All other tests are about binaries and how they are downloaded. */
const FILES = [
  'MongoMemoryServer',
  'MongoMemoryServer-restart',
  'MongoMemoryReplSet',
  'MongoMemoryReplSet-restart',
];
const EXAMPLES = ['singleDB', 'multipleDB', 'replset-multi'];

/** Configures the tests to use our classes in place of the package's own, but to keep the package's test helpers. */
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

const WORDING = 'compares the message of an error; class and properties are as expected';
const INSIDE = "tests internals: protected methods, calls of helpers, or a server's command line";

/** Known failures. A regression must not be added here. */
const known: readonly KnownFailure[] = [
  ...[
    'start() › should throw an error if state is not "new" or "stopped"',
    'ensureInstance() › should throw an error if *',
    'getUri() › should throw an state error, if not starting or running',
    'cleanup() › should throw an error if state is not "stopped"',
  ].map((name) => ({ test: `MongoMemoryServer ${name}`, reason: WORDING })),
  ...[
    '"new" *',
    '"waitUntilRunning" should throw *',
    '"getUri" should throw *',
    '"start" should throw *',
  ].map((name) => ({ test: `single server replset › ${name}`, reason: WORDING })),
  { test: 'MongoMemoryReplSet getters & setters* › setter of "*', reason: WORDING },
  ...[
    'start() › should throw error on start if there is already a running instance',
    'start() › should not start auth when "instance.auth" is not set (wiredTiger)',
    'start() › "createAuth" *',
    '› "createAuth" *',
    'stop() › should return "true" if no instance was ever running',
    'stop() › should still run "stop" even if state is already "stopped"',
    'cleanup() › should properly cleanup with *',
    'getStartOptions() › *',
    '› should transfer "launchTimeout" option to the MongoInstance',
  ].map((name) => ({ test: `MongoMemoryServer ${name}`, reason: INSIDE })),
  ...[
    'single server replset › "getUri" should be able to generate an dbName',
    'single server replset › "_initReplSet" *',
    'MongoMemoryReplSet › "_waitForPrimary" should throw an error if timeout is reached',
  ].map((test) => ({ test, reason: INSIDE })),
  {
    test: 'MongoMemory* server version specific › should warn if "ephemeralForTest" is used explicitly in mongodb 7.0',
    reason: 'expects a warning about a storage engine of older servers; Portolan has only one storage engine',
  },
];

export const memoryServer: ClientSuite = {
  name: 'mongodb-memory-server',
  what: 'the tests of the classes that `portolan/memory-server` replaces',
  source: 'github.com/typegoose/mongodb-memory-server',
  known,
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
    // Build the package and load it with `require`, as users do.
    const node = process.execPath;
    const script = `${node} ${join(root, 'scripts/build.ts')} engine && exec ${node} ${jest} --ci --runInBand --config ${config}`;
    return [{ program: 'sh', args: ['-c', script], report }];
  },
};
