import { join } from 'node:path';
import { IN_CONTAINER, PUBLIC_NAMES, WITHOUT_BACKPRESSURE, WITHOUT_SEARCH } from './reasons.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

const ENCRYPTION = 'needs the library for client-side encryption';
const BUSY = 'which a busy machine can exceed';

/** Known failures. A regression must not be added here. */
const known: readonly KnownFailure[] = [
  { test: 'CRUD Prose Spec Tests 13. * › *', reason: ENCRYPTION, sometimes: true },
  { test: 'crypt shared library › *', reason: ENCRYPTION, sometimes: true },
  { test: 'MongoClient.close() Integration * › *cryptd*', reason: 'needs `mongocryptd`', sometimes: true },
  { test: '*mongocryptd › *', reason: 'needs `mongocryptd`', sometimes: true },
  { test: 'DNS timeout errors* › *', reason: PUBLIC_NAMES, sometimes: true },
  { test: 'Search Index Management Tests (Unified) * › *', reason: WITHOUT_SEARCH },
  { test: 'Search Index Management Integration Tests *snapshot on › *', reason: WITHOUT_SEARCH },
  {
    test: 'Cursor › should correctly execute cursor count with secondary readPreference',
    reason: 'expects a member with the name `localhost`; in the engine, the name of a member is its address',
  },
  {
    test: 'Handshake Prose Tests Test 9: * › *',
    reason: IN_CONTAINER,
    sometimes: true,
  },
  {
    test: 'class MongoDBResponse *includes invalid utf8* › *',
    reason: 'expects that an error message is cut within a character; the engine cuts between characters',
  },
  {
    test: 'Server Discovery and Monitoring Prose Tests Connection Pool Backpressure › *',
    reason: WITHOUT_BACKPRESSURE,
  },
  {
    test: 'Change Streams when creating multiple simultaneous ChangeStreams › *',
    reason: `inserts 50 ms after the start of three change streams, ${BUSY}`,
    sometimes: true,
  },
  {
    test: 'Connections Survive Primary Step Down - prose getMore Iteration › *',
    reason: 'expects that the driver writes to the former primary before it hears of the new one',
    sometimes: true,
  },
  {
    test: 'AbortSignal support * › *',
    reason: `sets a limit of 10 ms, ${BUSY}`,
    sometimes: true,
  },
  {
    test: '*toArray › does not exceed stack size for large arrays',
    reason: `reads 2^20 documents within a minute, ${BUSY}`,
    sometimes: true,
  },
  {
    test: 'Driver Resources * › *',
    reason: 'measures the memory of the driver and the number of its promises',
    sometimes: true,
  },
  {
    test: '*cmap-format pool-create-min-size-error › *',
    reason: 'lets greetings fail, so that a test on a busy machine can lose its own connection',
    sometimes: true,
  },
  {
    test: 'Retry Backoff is Enforced › *',
    reason: 'compares the times of two runs, which vary on a busy machine',
    sometimes: true,
  },
  {
    test: 'CSOT * › *',
    reason: `sets time limits of some ten milliseconds, ${BUSY}`,
    sometimes: true,
  },
];

export const nodeDriver: ClientSuite = {
  name: 'node-driver',
  what: 'the integration tests of the Node.js driver and the tests of the driver specifications, without those of client-side encryption',
  source: 'github.com/mongodb/node-mongodb-native',
  known,
  setUp: ({ source }) => [
    {
      makes: join(source, 'node_modules'),
      program: 'npm',
      args: ['install', '--ignore-scripts', '--no-audit', '--no-fund'],
    },
    {
      makes: join(source, 'test/tools/runner/bundle'),
      program: 'node',
      args: ['etc/bundle-driver.mjs'],
    },
  ],
  runs({ source, own }, { uri }) {
    const report = join(own, 'report.xml');
    const reporter = ['--reporter', 'xunit', '--reporter-option', `output=${report}`];
    const encryption = ['client-side-encryption/**', 'node-specific/client_encryption.test.ts'];
    const ignored = encryption.flatMap((path) => ['--ignore', `test/integration/${path}`]);
    return [
      {
        program: join(source, 'node_modules', '.bin', 'mocha'),
        args: ['--exit', '--config', 'test/mocha_mongodb.js', ...reporter, ...ignored, 'test/integration'],
        env: { MONGODB_URI: uri, AUTH: 'auth', TS_NODE_TRANSPILE_ONLY: 'true' },
        report,
      },
    ];
  },
};
