import type { FaultRule, FaultTable } from '@portolan/foundation/faults';

/** A code, as documents name it. */
export interface DocumentedFault {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
}

export type FaultRules = readonly DocumentedFault[];

export type AnyFaultTable = FaultTable<Record<string, FaultRule>>;

/** The codes of several tables, by status and then by name; a code that two tables hold appears once. */
export function faultRulesOf(tables: readonly AnyFaultTable[]): FaultRules {
  const byCode = new Map<string, DocumentedFault>();
  for (const [code, { rule }] of tables.flatMap((table) => Object.entries(table))) {
    const [status, detail] = rule;
    byCode.set(`${status} ${code}`, { code, status, detail });
  }
  return [...byCode.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fault]) => fault);
}
