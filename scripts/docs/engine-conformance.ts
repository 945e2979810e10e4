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
  date: undefined,
  rows: [],
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
