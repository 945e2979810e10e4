import type { FaultRule, FaultTable } from '@portolan/foundation/faults';

/** An error code for the documents. */
export interface DocumentedFault {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
}

export type FaultRules = readonly DocumentedFault[];

export type AnyFaultTable = FaultTable<Record<string, FaultRule>>;

/** Returns the codes of several tables by status and name, without duplicates. */
export function faultRulesOf(tables: readonly AnyFaultTable[]): FaultRules {
  const byCode = new Map<string, DocumentedFault>();
  for (const [code, { rule }] of tables.flatMap((table) => Object.entries(table))) {
    const [status, detail] = rule;
    byCode.set(`${status} ${code}`, { code, status, detail });
  }
  return [...byCode.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fault]) => fault);
}
