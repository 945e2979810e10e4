import type { AnyFaultTable } from '@portolan/foundation/faults';
import type { DialectChanges } from '../dialect/dialect.ts';
import { codeIn } from '../dialect/fault-words.ts';

/** An error code in the OpenAPI documents. */
export interface DocumentedFault {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
}

export type FaultRules = readonly DocumentedFault[];

/**
 * Returns the error codes of several tables in the words of a dialect, sorted by status and name, without duplicates.
 */
export function faultRulesOf(tables: readonly AnyFaultTable[], changes?: DialectChanges): FaultRules {
  const byCode = new Map<string, DocumentedFault>();
  for (const [declared, { rule }] of tables.flatMap((table) => Object.entries(table))) {
    const [status, detail] = rule;
    const code = changes === undefined ? declared : codeIn(declared, changes.faults);
    byCode.set(`${status} ${code}`, { code, status, detail });
  }
  return [...byCode.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fault]) => fault);
}
