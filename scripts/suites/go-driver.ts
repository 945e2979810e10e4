import { join } from 'node:path';
import { goTests } from './go.ts';
import { IN_CONTAINER, PUBLIC_NAMES, TEST_COMMAND, WITHOUT_BACKPRESSURE, WITHOUT_SEARCH } from './reasons.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

const TESTS = 'go.mongodb.org/mongo-driver/v2/internal/integration';

const known: readonly KnownFailure[] = [
  ...['TestHandshakeProse/*', 'TestHandshakeProse_AppendMetadata_*'].map((test) => ({
    test: `${TESTS} › ${test}`,
    reason: IN_CONTAINER,
    sometimes: true as const,
  })),
  {
    test: `${TESTS} › TestInitialDNSSeedlistDiscoverySpec/*`,
    reason: PUBLIC_NAMES,
    sometimes: true,
  },
  {
    test: `${TESTS} › TestConnectionPoolBackpressure`,
    reason: WITHOUT_BACKPRESSURE,
  },
  {
    test: `${TESTS} › TestSessionsMongocryptdProse/*`,
    reason: 'starts `mongocryptd`, a program of the reference server',
    sometimes: true,
  },
  { test: `${TESTS}/unified › TestUnifiedSpec/index-management/*`, reason: WITHOUT_SEARCH },
  {
    test: `${TESTS}/unified › TestUnifiedSpec/versioned-api/tests/test-commands-strict-mode.json/*`,
    reason: TEST_COMMAND,
  },
  {
    test: `${TESTS} › TestClient/operations_don't_retry_after_a_context_timeout/*`,
    reason: 'expects that a time limit of a few milliseconds never ends before the command is sent',
    sometimes: true,
  },
  {
    test: `${TESTS} › TestCommandLoggingAndMonitoringProse/*`,
    reason: 'sets a time limit for parallel tests, which a busy machine can exceed',
    sometimes: true,
  },
];

export const goDriver: ClientSuite = {
  name: 'go-driver',
  what: 'the integration tests of the Go driver, and the tests of the driver specifications, which are in a submodule of its repository',
  source: 'github.com/mongodb/mongo-go-driver',
  known,
  setUp: ({ source }) => [
    {
      makes: join(source, 'testdata', 'specifications', 'source'),
      program: 'git',
      args: ['submodule', 'update', '--init', 'testdata/specifications'],
    },
  ],
  runs({ own }, { uri }) {
    const report = join(own, 'report.jsonl');
    return [{ ...goTests(report, ['./internal/integration/...']), env: { MONGODB_URI: uri, AUTH: 'auth' } }];
  },
};
