import { cacheKeysOf, type Tx } from '../../store/index.ts';
import { enqueueWork, findCluster } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { allFaults, countFault, type FaultRow, faultById, insertFault, removeFault } from './rows.ts';
import { afterCall } from './rules.ts';
import type { DeclaredFault, FaultRule } from './schema.ts';

export const TELL = { kind: 'fault.tell' };

/** What instances keep of all rules depends on this key. */
export const faultKeys = cacheKeysOf('declared faults');
export const ALL = 'all';

const SEEDS = 2 ** 32;

/** From its commit on, here and in other instances within a second, the fault is met. */
export async function declareFault(tx: Tx, services: Services, body: DeclaredFault): Promise<FaultRow> {
  const rule: FaultRule = { ...body, seed: body.seed ?? services.random.integer(SEEDS) };
  const row: FaultRow = { id: tx.id(), created: tx.now, rule, calls: 0, met: 0 };
  await insertFault(tx, row);
  await enqueueWire(tx, rule);
  tx.touch(faultKeys(ALL));
  tx.afterCommit(() => services.log.warn({ fault: row.id, rule }, 'a fault was declared'));
  return row;
}

export async function endFault(tx: Tx, { log }: Services, row: FaultRow): Promise<void> {
  const { id, calls, met } = row;
  await removeFault(tx, id);
  await enqueueWire(tx, row.rule);
  tx.touch(faultKeys(ALL));
  tx.afterCommit(() => log.warn({ fault: id, calls, met }, 'a declared fault has ended'));
}

/** Has the nodes of the cluster told what is declared for them now. */
async function enqueueWire(tx: Tx, { groupId = '', clusterName = '', wire }: FaultRule): Promise<void> {
  const cluster = wire && (await findCluster(tx, groupId, clusterName));
  if (cluster) await enqueueWork(tx, TELL, cluster, {}, { beside: 'faults' });
}

export async function endAllFaults(tx: Tx, services: Services): Promise<void> {
  for (const row of await allFaults(tx)) await endFault(tx, services, row);
}

/** Counts one call; whether it meets the fault. Of one that has ended meanwhile none does. */
export async function meetFault(tx: Tx, id: string): Promise<boolean> {
  const before = await faultById(tx, id);
  if (before === undefined) return false;
  const { row, isMet } = afterCall(before);
  await countFault(tx, row);
  return isMet;
}
