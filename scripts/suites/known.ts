import type { KnownFailure } from './suite.ts';

const PUBLIC_NAMES = "resolves public DNS names of the driver's authors";
const WORDING = 'compares the message of an error; class and properties are as expected';
const INSIDE = "tests internals: protected methods, calls of helpers, or a server's command line";
const IN_CONTAINER = 'fails in a container';

/** Tests of each suite that are known to fail, with the reason. Regressions do not belong here. */
export const knownFailures: Readonly<Record<string, readonly KnownFailure[]>> = {
  mongoose: [
    {
      test: 'connections: openUri (gh-5304) › with mongoose.createConnection()',
      reason: 'does not accept a connection string with a user',
    },
    ...['watch() (gh-5964)', 'using next() and hasNext() before connecting (gh-16034)'].map((name) => ({
      test: `Model bug fixes 3.6 features watch() › ${name}`,
      reason:
        'inserts on an open connection while the change stream that should see the insert is still logging in',
      sometimes: true as const,
    })),
    {
      test: 'QueryCursor › closing query cursor emits `close` event only once (gh-8835)',
      reason: 'allows 20 ms for a query and the close of its cursor',
      sometimes: true,
    },
  ],
  'mongodb-memory-server': [
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
      reason: 'expects a warning about a storage engine that older servers have; here there is only one',
    },
  ],
  pymongo: [
    { test: 'test.*test_srv_polling.* › *', reason: PUBLIC_NAMES },
    { test: 'test.*test_dns.* › *', reason: PUBLIC_NAMES },
    {
      test: 'test.test_uri_spec.TestAllScenarios › test_test_uri_options_srv-options_*',
      reason: PUBLIC_NAMES,
    },
    ...['service_name_from_kwargs', 'repr_srv_host', 'srv_max_hosts_kwarg'].map((name) => ({
      test: `test.*test_client.* › test_${name}`,
      reason: PUBLIC_NAMES,
    })),
    {
      test: 'test.*test_client.* › test_connection_timeout_ms_propagates_to_DNS_resolver',
      reason: `${PUBLIC_NAMES}, and measures the timeout`,
      sometimes: true,
    },
    ...['container_metadata', 'metadata', 'handshake_0*'].map((name) => ({
      test: `test.*test_client.* › test_${name}`,
      reason: IN_CONTAINER,
      sometimes: true as const,
    })),
    {
      test: 'test.*test_discovery_and_monitoring.TestPoolBackpressure › test_connection_pool_is_not_cleared',
      reason:
        'sets `ingressConnectionEstablishmentRateLimiterEnabled`; the engine does not limit the rate of connections',
    },
    {
      test: 'test.*test_retryable_writes.TestErrorPropagationAfterEncounteringMultipleErrors › *',
      reason: 'ignores the configured address and user',
    },
    {
      test: 'test.*test_versioned_api_integration.TestVersionedApiTestCommandsStrictMode › test_Running_a_command_that_is_not_part_*',
      reason: 'runs `testVersion2`, a command that exists only for tests of the reference server',
    },
    {
      test: 'test.asynchronous.test_async_cancellation.TestAsyncCancellation › test_async_cancellation_aborts_transaction',
      reason: 'cancels a task after 100 ms, when a busy machine may not have started its transaction',
      sometimes: true,
    },
    {
      test: 'test.*test_monitor.TestMonitor › test_cleanup_executors_on_client_del',
      reason: 'sets a time limit for threads of the client to end, which a busy machine can exceed',
      sometimes: true,
    },
    {
      test: 'test.*test_retryable_reads.TestRetryableReads › test_03_03_*',
      reason: 'sets a time limit for the discovery of all members, which a busy machine can exceed',
      sometimes: true,
    },
    {
      test: 'test.asynchronous.test_async_loop_unblocked.TestClientLoopUnblocked › *',
      reason:
        'requires a network that drops undeliverable packets; one that rejects them causes another error',
      sometimes: true,
    },
    ...[
      'test_csot.TestCsotBulkWrite › *',
      'test_csot.TestCsotGridfs* › *',
      'test_csot.TestCsotRetryabilityLegacyTimeouts › *',
      'test_csot.TestCsotRetryabilityTimeoutMS › *',
      'test_csot.TestCsotRunCursorCommand › *',
      'test_client_bulk_write.TestClientBulkWriteCSOT › *',
    ].map((test) => ({
      test: `test.*${test}`,
      reason: 'sets a time limit of some ten milliseconds per command, which a busy machine can exceed',
      sometimes: true as const,
    })),
    ...[
      '5_collects_write_concern_errors_across_batches',
      '6_collects_write_errors_across_batches_unordered',
    ].map((name) => ({
      test: `test.*test_client_bulk_write.TestClientBulkWriteCRUD › test_${name}`,
      reason: 'runs 100,000 operations in one command within 20 s, which a busy machine can exceed',
      sometimes: true as const,
    })),
  ],
};
