/** Results of public conformance suites. */

export interface ConformanceRow {
  readonly area: string;
  readonly cases: number;
  readonly passed: number;
  /** The failures. */
  readonly rest: string;
}

/** Results of the reference server's public functional cases by area, and the date of the run. */
export const conformance: { readonly date: string | undefined; readonly rows: readonly ConformanceRow[] } = {
  date: '2026-11-22',
  rows: [
    { area: 'changeStreams', cases: 12, passed: 12, rest: '' },
    {
      area: 'core/aggregation',
      cases: 1293,
      passed: 1292,
      rest: '`distinct` with a hint under a collation returns another of several equal strings',
    },
    {
      area: 'core/collation',
      cases: 509,
      passed: 507,
      rest: '`_id` under the collation of a clustered collection; Japanese syllabaries at strength 4',
    },
    { area: 'core/collections', cases: 3642, passed: 3642, rest: '' },
    { area: 'core/cursors', cases: 429, passed: 429, rest: '' },
    { area: 'core/data-types', cases: 194, passed: 194, rest: '' },
    {
      area: 'core/indexes',
      cases: 1382,
      passed: 1381,
      rest: '`explain` of a geographic query shows no `2dsphere` index, since it scans',
    },
    { area: 'core/operator', cases: 31, passed: 31, rest: '' },
    { area: 'core/operator/accumulators', cases: 1271, passed: 1271, rest: '' },
    { area: 'core/operator/aggregation', cases: 1, passed: 1, rest: '' },
    {
      area: 'core/operator/expressions',
      cases: 17397,
      passed: 17394,
      rest: 'the last digit of one `$ln` and of one `$sigmoid` (two cases) of a decimal',
    },
    { area: 'core/operator/projection', cases: 335, passed: 335, rest: '' },
    {
      area: 'core/operator/query',
      cases: 4870,
      passed: 4869,
      rest: '`$geoWithin` of a polygon that reaches longitude 180 near the pole',
    },
    {
      area: 'core/operator/stages',
      cases: 4770,
      passed: 4750,
      rest: '`$out` is one transaction, so its temporary collection is not visible; `$collStats` counts no buckets; `config` is empty until something is stored in it; positions of search stages (17 cases)',
    },
    { area: 'core/operator/system-stages', cases: 722, passed: 722, rest: '' },
    { area: 'core/operator/update', cases: 1756, passed: 1756, rest: '' },
    {
      area: 'core/operator/window',
      cases: 433,
      passed: 432,
      rest: 'the rounding of `$covarianceSamp` after an Infinity that has left the window',
    },
    { area: 'core/query-planning', cases: 165, passed: 165, rest: '' },
    { area: 'core/query_and_write', cases: 1569, passed: 1569, rest: '' },
    { area: 'core/query_planning', cases: 319, passed: 319, rest: '' },
    { area: 'core/sessions', cases: 726, passed: 726, rest: '' },
    { area: 'system/administration', cases: 795, passed: 795, rest: '' },
    { area: 'system/diagnostic', cases: 951, passed: 951, rest: '' },
    { area: 'system/replication', cases: 186, passed: 186, rest: '' },
    { area: 'system/security', cases: 20, passed: 20, rest: '' },
  ],
};

export interface SpecificationRow {
  readonly specification: string;
  /** Rewritten cases, run through the official driver. */
  readonly cases: number;
  readonly passed: number;
  /** The test files, relative to `packages/engine/src`. */
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
