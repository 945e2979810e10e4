import { join } from 'node:path';
import { goTests } from './go.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

const TESTS = 'go.mongodb.org/mongo-driver/v2/internal/integration';

const known: readonly KnownFailure[] = [
  ...['TestHandshakeProse/*', 'TestHandshakeProse_AppendMetadata_*'].map((test) => ({
    test: `${TESTS} › ${test}`,
    reason: 'expects driver metadata without the name of a container, so it fails in a container',
    sometimes: true as const,
  })),
  {
    test: `${TESTS} › TestInitialDNSSeedlistDiscoverySpec/*`,
    reason: "resolves public DNS names of the driver's authors",
    sometimes: true,
  },
  {
    test: `${TESTS} › TestConnectionPoolBackpressure`,
    reason:
      'sets `ingressConnectionEstablishmentRateLimiterEnabled`; the engine does not limit the rate of connections',
  },
  {
    test: `${TESTS} › TestSessionsMongocryptdProse/*`,
    reason: 'starts `mongocryptd`, a program of the reference server',
    sometimes: true,
  },
  {
    test: `${TESTS}/unified › TestUnifiedSpec/versioned-api/tests/test-commands-strict-mode.json/*`,
    reason: 'runs `testVersion2`, a command that exists only for tests of the reference server',
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
