import { join } from 'node:path';
import { pytest, pythonOf, withPackages } from './python.ts';
import { IN_CONTAINER, PUBLIC_NAMES, TEST_COMMAND, WITHOUT_BACKPRESSURE } from './reasons.ts';
import type { ClientSuite, KnownFailure } from './suite.ts';

const halves = [
  { name: 'sync', marker: 'default', folder: 'test', without: ['test/asynchronous', 'test/mockupdb'] },
  { name: 'async', marker: 'default_async', folder: 'test/asynchronous', without: [] },
] as const;

/** Known failures. A regression must not be added here. */
const known: readonly KnownFailure[] = [
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
    reason: WITHOUT_BACKPRESSURE,
  },
  {
    test: 'test.*test_retryable_writes.TestErrorPropagationAfterEncounteringMultipleErrors › *',
    reason: 'ignores the configured address and user',
  },
  {
    test: 'test.*test_versioned_api_integration.TestVersionedApiTestCommandsStrictMode › test_Running_a_command_that_is_not_part_*',
    reason: TEST_COMMAND,
  },
  {
    test: 'test.asynchronous.test_async_cancellation.TestAsyncCancellation › test_async_cancellation_aborts_transaction',
    reason:
      'cancels a task after 100 ms. On a busy machine, the transaction of the task may not have started by then',
    sometimes: true,
  },
  {
    test: 'test.*test_client.* › test_background_connections_do_not_hold_locks',
    reason: 'allows 2 s for a ping, which a busy machine can exceed',
    sometimes: true,
  },
  {
    test: 'test.asynchronous.test_concurrency.TestAsyncConcurrency › test_concurrency',
    reason:
      'expects that parallel commands take half as long as consecutive ones, which a busy machine prevents',
    sometimes: true,
  },
  {
    test: 'test.*test_monitor.TestMonitor › test_cleanup_executors_on_client_del',
    reason: 'gives the threads of the client a limited time to end, which a busy machine can exceed',
    sometimes: true,
  },
  {
    test: 'test.*test_retryable_reads.TestRetryableReads › test_03_03_*',
    reason: 'gives the driver a limited time to find all members, which a busy machine can exceed',
    sometimes: true,
  },
  {
    test: 'test.asynchronous.test_async_loop_unblocked.TestClientLoopUnblocked › *',
    reason:
      'requires a network that drops undeliverable packets; a network that rejects them causes another error',
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
];

export const pymongo: ClientSuite = {
  name: 'pymongo',
  what: 'the tests of the synchronous and asynchronous clients of PyMongo, and the tests of the driver specifications',
  source: 'github.com/mongodb/mongo-python-driver',
  known,
  setUp: (places) =>
    withPackages(places, ['-e', places.source, '-r', join(places.source, 'requirements', 'test.txt')]),
  runs: (places, { host, port, username, password }) =>
    halves.map(({ name, marker, folder, without }) => {
      const report = join(places.own, `${name}.xml`);
      const ignored = without.map((path) => `--ignore=${path}`);
      return {
        part: name,
        program: pythonOf(places),
        args: pytest(report, '-m', marker, ...ignored, folder),
        env: { DB_IP: host, DB_PORT: String(port), DB_USER: username, DB_PASSWORD: password },
        report,
      };
    }),
};
