import { cacheKeysOf, type Tx } from '../../store/index.ts';
import { enqueueWork, findCluster } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { allFaults, countFault, type FaultRow, faultById, insertFault, removeFault } from './rows.ts';
import { afterCall } from './rules.ts';
import type { DeclaredFault, FaultRule } from './schema.ts';

export const UPDATE_NODES = { kind: 'fault.tell' };

/** Cache key of the list of all declared faults. */
export const faultKeys = cacheKeysOf('declared faults');
export const ALL = 'all';

const SEEDS = 2 ** 32;

/**
 * Declares a fault. It takes effect on this instance when the transaction commits, and on other instances within a
 * second.
 */
export async function declareFault(tx: Tx, services: Services, body: DeclaredFault): Promise<FaultRow> {
  const rule: FaultRule = { ...body, seed: body.seed ?? services.random.integer(SEEDS) };
  const row: FaultRow = { id: tx.id(), created: tx.now, rule, calls: 0, met: 0 };
  await insertFault(tx, row);
  await enqueueNodeUpdate(tx, rule);
  tx.touch(faultKeys(ALL));
  tx.afterCommit(() => services.log.warn({ fault: row.id, rule }, 'a fault was declared'));
  return row;
}

export async function endFault(tx: Tx, { log }: Services, row: FaultRow): Promise<void> {
  const { id, calls, met } = row;
  await removeFault(tx, id);
  await enqueueNodeUpdate(tx, row.rule);
  tx.touch(faultKeys(ALL));
  tx.afterCommit(() => log.warn({ fault: id, calls, met }, 'a declared fault has ended'));
}

/** Enqueues a task that sends the declared wire faults to the nodes of the cluster. */
async function enqueueNodeUpdate(tx: Tx, { groupId = '', clusterName = '', wire }: FaultRule): Promise<void> {
  const cluster = wire && (await findCluster(tx, groupId, clusterName));
  if (cluster) await enqueueWork(tx, UPDATE_NODES, cluster, {}, { queue: 'faults' });
}

export async function endAllFaults(tx: Tx, services: Services): Promise<void> {
  for (const row of await allFaults(tx)) await endFault(tx, services, row);
}

/** Counts one call. Returns whether the call triggers the fault; false if the fault was deleted in the meantime. */
export async function triggerFault(tx: Tx, id: string): Promise<boolean> {
  const before = await faultById(tx, id);
  if (before === undefined) return false;
  const { row, isTriggered } = afterCall(before);
  await countFault(tx, row);
  return isTriggered;
}
