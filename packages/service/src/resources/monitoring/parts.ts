import { ownDatabases } from '@portolan/engine/interface/namespaces';
import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { assertCan, requireDedicated } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { newestMeasurement } from './measured/rows.ts';
import { readDatabases } from './measured/stored.ts';
import { type Process, requireProcess } from './processes.ts';

/** The only disk of each member. */
export const PARTITION = 'data';
const DAY_S = 86_400;

/** The parts of a call that the handlers of operations on one process need. */
export interface ProcessCall {
  readonly services: Services;
  readonly params: { readonly groupId: string; readonly processId: string };
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
}

export async function requireDedicatedProcess(call: ProcessCall): Promise<Process> {
  const process = await call.read((tx) => requireProcess(tx, call.params, call.services.naming));
  requireDedicated(process.cluster);
  return process;
}

/** Like `requireDedicatedProcess`, but also throws if the engine of the cluster takes no measurements. */
export async function requireMeasuredProcess(call: ProcessCall): Promise<Process> {
  const process = await requireDedicatedProcess(call);
  assertCan(process.cluster, 'measurements');
  return process;
}

/** Like `requireDedicatedProcess`, but also throws if the engine of the cluster lists no databases. */
export async function requireListedProcess(call: ProcessCall): Promise<Process> {
  const process = await requireDedicatedProcess(call);
  assertCan(process.cluster, 'databases');
  return process;
}

export function requirePartition(name: string): void {
  if (name !== PARTITION) throw generalFaults.RESOURCE_NOT_FOUND(name);
}

export async function requireDatabase(process: Process, call: ProcessCall, name: string): Promise<void> {
  // Every process has these databases, even if they are empty.
  if (ownDatabases.has(name)) return;
  if (!(await databaseNames(process, call)).includes(name)) throw generalFaults.RESOURCE_NOT_FOUND(name);
}

/**
 * Returns the names of the databases that the host reports. If the host is unreachable or reports no database, returns
 * the names in the last measurement.
 */
export async function databaseNames({ cluster }: Process, call: ProcessCall): Promise<string[]> {
  const { engines } = call.services;
  const reported = engines.reachable().includes(cluster.host)
    ? await engines
        .at(cluster.host)
        .databaseSizes([cluster.id])
        .catch(() => [])
    : [];
  const names = Object.keys(reported[0]?.databases ?? {});
  if (names.length > 0) return names.sort();
  const row = await call.read((tx) =>
    newestMeasurement(tx, { clusterId: cluster.id, memberId: '', seconds: DAY_S }),
  );
  return row === undefined ? [] : Object.keys(readDatabases(row.document)).sort();
}
