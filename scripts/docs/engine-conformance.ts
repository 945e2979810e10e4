/** How much of what others have written down about the reference server the engine does as it does. */

export interface ConformanceRow {
  readonly area: string;
  readonly cases: number;
  readonly passed: number;
  /** Why the rest does not pass. */
  readonly rest: string;
}

/** The reference server's public functional cases, by area; the day on which they were last run. */
export const conformance: { readonly date: string | undefined; readonly rows: readonly ConformanceRow[] } = {
  date: '2026-11-21',
  rows: [
    { area: 'changeStreams', cases: 12, passed: 12, rest: '' },
    {
      area: 'core/aggregation',
      cases: 935,
      passed: 934,
      rest: 'distinct with a hint under a collation picks another spelling',
    },
    {
      area: 'core/collation',
      cases: 358,
      passed: 356,
      rest: '`_id` in a clustered collection with a collation; `$expr` with `$in`',
    },
    { area: 'core/collections', cases: 2461, passed: 2461, rest: '' },
    { area: 'core/cursors', cases: 196, passed: 196, rest: '' },
    { area: 'core/data-types', cases: 106, passed: 106, rest: '' },
    {
      area: 'core/indexes',
      cases: 916,
      passed: 913,
      rest: '2d bounds in `$indexStats`; two errors of partial indexes on time series',
    },
    { area: 'core/operator', cases: 18, passed: 18, rest: '' },
    {
      area: 'core/operator/accumulators',
      cases: 769,
      passed: 765,
      rest: '`$last` of a constant MinKey or MaxKey',
    },
    { area: 'core/operator/aggregation', cases: 1, passed: 1, rest: '' },
    {
      area: 'core/operator/expressions',
      cases: 12067,
      passed: 12036,
      rest: 'last digits and trailing zeros of some decimals; when constants are evaluated; odd arguments of conversions',
    },
    { area: 'core/operator/projection', cases: 238, passed: 238, rest: '' },
    { area: 'core/operator/query', cases: 3742, passed: 3741, rest: 'one polygon at the pole' },
    {
      area: 'core/operator/stages',
      cases: 2996,
      passed: 2989,
      rest: '`$out` is one transaction; where `$vectorSearch` may stand',
    },
    { area: 'core/operator/system-stages', cases: 519, passed: 519, rest: '' },
    { area: 'core/operator/update', cases: 1161, passed: 1161, rest: '' },
    { area: 'core/operator/window', cases: 289, passed: 288, rest: 'a centred covariance with Infinity' },
    { area: 'core/query-planning', cases: 138, passed: 138, rest: '' },
    { area: 'core/query_and_write', cases: 1240, passed: 1240, rest: '' },
    { area: 'core/query_planning', cases: 232, passed: 232, rest: '' },
    { area: 'core/sessions', cases: 497, passed: 497, rest: '' },
    { area: 'system/administration', cases: 491, passed: 491, rest: '' },
    { area: 'system/diagnostic', cases: 706, passed: 706, rest: '' },
    { area: 'system/replication', cases: 115, passed: 115, rest: '' },
    { area: 'system/security', cases: 20, passed: 20, rest: '' },
  ],
};

export interface SpecificationRow {
  readonly specification: string;
  /** Cases written in our own form, each run through the official driver. */
  readonly cases: number;
  readonly passed: number;
  /** Where the cases stand, below `src/engine/embedded`. */
  readonly files: string;
}

/** The public specifications of drivers. */
export const specifications: readonly SpecificationRow[] = [
  all('Transactions', 108, 'client/specifications/transaction*.test.ts'),
  all('Transactions, convenient API', 35, 'client/specifications/with-transaction.test.ts'),
  all('Retryable writes', 82, 'client/specifications/retryable-writes.test.ts'),
  all('Retryable reads', 63, 'client/specifications/retryable-reads.test.ts'),
  all('Sessions', 55, 'client/specifications/sessions.test.ts'),
  all('Server discovery and monitoring', 20, 'client/specifications/server-discovery.test.ts'),
  all('Command logging and monitoring', 20, 'client/specifications/command-monitoring.test.ts'),
  all('CRUD', 110, 'client/specifications/crud-*.test.ts'),
  all('BSON values, stored and read back', 104, 'worker/bson-values.test.ts'),
];

function all(specification: string, cases: number, files: string): SpecificationRow {
  return { specification, cases, passed: cases, files };
}
