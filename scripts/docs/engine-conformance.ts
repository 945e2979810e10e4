/** Results of public conformance suites. */

export interface ConformanceRow {
  readonly area: string;
  readonly cases: number;
  readonly passed: number;
  /** Why the cases that did not pass have failed. */
  readonly rest: string;
}

/**
 * Samples of statements from the public manual of the reference server. All statements of a sample were written before
 * the first one was run, and only their first run counts. The failures are counted by cause: the engine, the test, or
 * the manual, which simplifies a rule.
 */
export const manualSamples = [
  { date: '2026-11-28', statements: 300, passed: 288, engine: 7, test: 3, manual: 2 },
  { date: '2026-11-28', statements: 300, passed: 293, engine: 0, test: 7, manual: 0 },
  { date: '2026-11-28', statements: 100, passed: 92, engine: 3, test: 4, manual: 1 },
  { date: '2026-11-28', statements: 91, passed: 83, engine: 2, test: 4, manual: 2 },
  { date: '2026-11-28', statements: 100, passed: 92, engine: 3, test: 5, manual: 0 },
  { date: '2026-11-29', statements: 173, passed: 125, engine: 15, test: 33, manual: 0 },
  { date: '2026-11-29', statements: 218, passed: 210, engine: 0, test: 7, manual: 1 },
  { date: '2026-11-29', statements: 300, passed: 291, engine: 7, test: 2, manual: 0 },
  { date: '2026-11-30', statements: 300, passed: 284, engine: 5, test: 9, manual: 2 },
  { date: '2026-11-30', statements: 300, passed: 295, engine: 2, test: 3, manual: 0 },
  { date: '2026-11-30', statements: 371, passed: 350, engine: 6, test: 3, manual: 12 },
  { date: '2026-11-30', statements: 100, passed: 95, engine: 1, test: 3, manual: 1 },
  { date: '2026-11-30', statements: 51, passed: 46, engine: 2, test: 2, manual: 1 },
  { date: '2026-11-30', statements: 300, passed: 288, engine: 5, test: 2, manual: 5 },
  { date: '2026-11-30', statements: 100, passed: 95, engine: 4, test: 0, manual: 1 },
  { date: '2026-11-30', statements: 300, passed: 297, engine: 0, test: 2, manual: 1 },
] as const;

/** Results of the reference server's public functional cases by area, and when they were run. */
export const conformance: { readonly date: string | undefined; readonly rows: readonly ConformanceRow[] } = {
  date: '2026-11-30',
  rows: [
    { area: 'changeStreams', cases: 12, passed: 12, rest: '' },
    {
      area: 'core/aggregation',
      cases: 1527,
      passed: 1527,
      rest: '',
    },
    {
      area: 'core/collation',
      cases: 555,
      passed: 554,
      rest: 'the comparison of Japanese syllabaries at strength 4',
    },
    { area: 'core/collections', cases: 3896, passed: 3896, rest: '' },
    { area: 'core/cursors', cases: 473, passed: 473, rest: '' },
    { area: 'core/data-types', cases: 220, passed: 220, rest: '' },
    {
      area: 'core/indexes',
      cases: 1599,
      passed: 1598,
      rest: '`explain` of a geographic query shows no `2dsphere` index, since the query scans the collection',
    },
    { area: 'core/operator', cases: 36, passed: 36, rest: '' },
    {
      area: 'core/operator/accumulators',
      cases: 1454,
      passed: 1454,
      rest: '',
    },
    { area: 'core/operator/aggregation', cases: 1, passed: 1, rest: '' },
    {
      area: 'core/operator/expressions',
      cases: 19423,
      passed: 19419,
      rest: 'the last digit of a decimal result of `$sigmoid` (two cases); `$pow` of the largest decimal (two cases)',
    },
    { area: 'core/operator/projection', cases: 346, passed: 346, rest: '' },
    {
      area: 'core/operator/query',
      cases: 5143,
      passed: 5141,
      rest: 'regular expressions with a conditional pattern or `\\K` (two cases)',
    },
    {
      area: 'core/operator/stages',
      cases: 5312,
      passed: 5310,
      rest: '`$out` is one transaction, so its temporary collection is not visible; the database `config` contains no collections at first',
    },
    {
      area: 'core/operator/system-stages',
      cases: 768,
      passed: 766,
      rest: 'resume tokens that are older than the first entry of a trimmed oplog (two cases)',
    },
    { area: 'core/operator/update', cases: 1916, passed: 1916, rest: '' },
    { area: 'core/operator/window', cases: 478, passed: 478, rest: '' },
    { area: 'core/query-planning', cases: 186, passed: 186, rest: '' },
    { area: 'core/query_and_write', cases: 1695, passed: 1695, rest: '' },
    { area: 'core/query_planning', cases: 428, passed: 428, rest: '' },
    { area: 'core/sessions', cases: 833, passed: 833, rest: '' },
    {
      area: 'search',
      cases: 1760,
      passed: 1759,
      rest: 'the test expects a limit of 1,000 boundaries for a facet; in the engine, the limit is 10,000, as in the manual',
    },
    {
      area: 'system/administration',
      cases: 1251,
      passed: 1251,
      rest: '',
    },
    { area: 'system/diagnostic', cases: 1252, passed: 1252, rest: '' },
    { area: 'system/replication', cases: 218, passed: 218, rest: '' },
    { area: 'system/security', cases: 20, passed: 20, rest: '' },
  ],
};

export interface SpecificationRow {
  readonly specification: string;
  /** How many rewritten cases run, with the official driver. */
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
