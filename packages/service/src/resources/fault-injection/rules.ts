import { Fault } from '@portolan/foundation/faults';
import { seededFraction } from '@portolan/foundation/random';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { declaredFaultFaults } from './faults.ts';
import { type FaultRow, faultById } from './rows.ts';
import type { DeclaredFault, RequestFault } from './schema.ts';

export const EVERY_OPERATION = '*';

/** Throws for a fault that can never be triggered, or that has no effect. */
export function checkRule(rule: DeclaredFault, names: ReadonlySet<string>): void {
  const kinds = [rule.request, rule.wire, rule.work].filter((kind) => kind !== undefined);
  if (kinds.length !== 1) throw generalFaults.MISSING_ONE_OF_THREE_ATTRIBUTES('request', 'wire', 'work');
  if (rule.clusterName !== undefined && rule.groupId === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('groupId');
  if (rule.request !== undefined) checkRequest(rule.request, names);
  if (rule.wire !== undefined) checkWire(rule, rule.wire);
}

function checkWire({ clusterName }: DeclaredFault, wire: NonNullable<DeclaredFault['wire']>): void {
  if (clusterName === undefined) throw generalFaults.MISSING_ATTRIBUTE('clusterName');
  const { closeConnection, delayMilliseconds, errorCode } = wire;
  if (errorCode === undefined && closeConnection !== true && delayMilliseconds === undefined) {
    const fields = ['wire.closeConnection', 'wire.delayMilliseconds', 'wire.errorCode'] as const;
    throw generalFaults.MISSING_ONE_OF_THREE_ATTRIBUTES(...fields);
  }
  if (errorCode !== undefined && closeConnection === true)
    throw badValue('wire.errorCode', 'has no effect if the connection is closed');
}

function checkRequest(request: RequestFault, names: ReadonlySet<string>): void {
  const { delayMilliseconds, disconnect, errorCode, operations, retryAfterSeconds, status } = request;
  for (const [index, name] of operations.entries()) {
    if (name !== EVERY_OPERATION && !names.has(name))
      throw badValue(`request.operations.${index}`, 'is neither an operation id nor a tag');
  }
  if (status === undefined && disconnect === undefined && delayMilliseconds === undefined) {
    const fields = ['request.delayMilliseconds', 'request.disconnect', 'request.status'] as const;
    throw generalFaults.MISSING_ONE_OF_THREE_ATTRIBUTES(...fields);
  }
  if (status !== undefined && disconnect !== undefined)
    throw badValue('request.status', 'has no effect if the connection is cut');
  if (status === undefined && (errorCode !== undefined || retryAfterSeconds !== undefined))
    throw generalFaults.MISSING_ATTRIBUTE('request.status');
}

export async function requireFault(tx: ReadTx, id: string): Promise<FaultRow> {
  const row = await faultById(tx, id);
  if (row === undefined) throw declaredFaultFaults.FAULT_NOT_FOUND(id);
  return row;
}

/** Returns the row of a fault after one more call, and whether the call triggers the fault. */
export function afterCall(row: FaultRow): { readonly row: FaultRow; readonly isTriggered: boolean } {
  const { skip = 0, times = Number.POSITIVE_INFINITY, probability = 1, seed } = row.rule;
  const calls = row.calls + 1;
  const isTriggered = calls > skip && row.met < times && seededFraction(seed, calls) < probability;
  return { row: { ...row, calls, met: row.met + (isTriggered ? 1 : 0) }, isTriggered };
}

const codes: Readonly<Record<number, string>> = { 429: 'RATE_LIMITED', 503: 'SERVICE_UNAVAILABLE' };

/** Returns the error response of the fault; undefined if the fault causes no error response. */
export function responseFault({ status, errorCode, retryAfterSeconds }: RequestFault): Fault | undefined {
  if (status === undefined) return undefined;
  const code = errorCode ?? codes[status] ?? generalFaults.UNEXPECTED_ERROR().code;
  const fault = new Fault(code, status, 'This error was declared by the operator.', []);
  const wait = retryAfterSeconds ?? (status === 429 ? 1 : undefined);
  return wait === undefined ? fault : fault.with({ headers: { 'Retry-After': String(wait) } });
}
