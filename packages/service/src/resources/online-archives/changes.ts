import { type Actor, system } from '../../events/index.ts';
import type { Store, Tx } from '../../store/index.ts';
import { type ClusterModel, type ClusterWork, can, clusterById, enqueueWork } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { checkCriteria } from './criteria.ts';
import {
  type ArchiveRow,
  type ArchiveSettings,
  archiveById,
  deleteArchive,
  runningArchives,
  saveArchive,
} from './rows.ts';
import {
  checkCollection,
  checkPartitions,
  checkPause,
  checkRegion,
  hasActiveRival,
  requireOnlyActive,
  requireRoom,
} from './rules.ts';
import type { ArchiveUpdate, Criteria, Expiration, NewArchive, Partition } from './schema.ts';
import { type ArchiveState, isPaused } from './states.ts';
import { checkSchedule, isOpen } from './window.ts';

export const MOVE = { kind: 'onlineArchive.move' };
export const PAUSE = { kind: 'onlineArchive.pause' };

/** The number of archives whose runs are enqueued in one transaction. */
const PAGE = 100;

export interface ArchiveWork extends ClusterWork {
  readonly archiveId: string;
}

/** The archive has a queue of its own, so that a long run delays no changes of the cluster. */
const queueOf = ({ id }: ArchiveRow) => `archive:${id}`;

/** Adds an archive. Its first run begins at once. */
export async function addArchive(
  tx: Tx,
  actor: Actor,
  cluster: ClusterModel,
  body: NewArchive,
): Promise<ArchiveRow> {
  checkCollection(body);
  checkRegion(body);
  await requireRoom(tx, cluster);
  const { criteria, dataProcessRegion, partitionFields, schedule = { type: 'DEFAULT' } } = body;
  const region = cluster.spec.zones[0]?.regions[0];
  const row: ArchiveRow = {
    id: tx.id(),
    groupId: cluster.groupId,
    clusterId: cluster.id,
    database: body.dbName,
    collection: body.collName,
    settings: checked({
      criteria,
      expiration: ruleIn(body.dataExpirationRule),
      partitions: partitionFields ?? defaultPartitions(criteria),
      region: {
        ...(region && { cloudProvider: region.provider, region: region.region }),
        ...dataProcessRegion,
      },
      schedule,
    }),
    state: body.paused === true ? 'PAUSED' : 'PENDING',
    seen: false,
  };
  if (!isPaused(row.state)) await requireOnlyActive(tx, row);
  await saveArchive(tx, row);
  await record(tx, 'CREATED', row, actor);
  if (!isPaused(row.state)) await requestRun(tx, cluster, row);
  return row;
}

function defaultPartitions({ type, dateField = '' }: Criteria): Partition[] {
  return type === 'CUSTOM' ? [] : [{ fieldName: dateField, order: 0 }];
}

/** Returns the rule that deletes files; undefined for an empty rule. */
function ruleIn(given: Expiration | undefined): Expiration | undefined {
  return given?.expireAfterDays === undefined ? undefined : given;
}

/** Adds the defaults of the criteria. Throws if the settings are invalid. */
function checked(settings: ArchiveSettings): ArchiveSettings {
  const criteria: Criteria =
    settings.criteria.type === 'CUSTOM'
      ? settings.criteria
      : { type: 'DATE', dateFormat: 'ISODATE', ...settings.criteria };
  checkCriteria(criteria);
  checkSchedule(settings.schedule);
  checkPartitions(settings.partitions, criteria);
  return { ...settings, criteria };
}

/** Returns the criteria after a change. Omitted fields keep their values, unless the type changes. */
function changedCriteria(before: Criteria, given: Criteria | undefined): Criteria {
  const { type = before.type } = given ?? {};
  return given === undefined || type === before.type ? { ...before, ...given } : given;
}

/** Dialects set `pausesActiveOnly` if archives can be paused only in the state `ACTIVE`. */
interface PauseRules {
  readonly pausesActiveOnly?: boolean;
}

/** Changes, pauses or resumes an archive. */
export async function changeArchive(
  tx: Tx,
  actor: Actor,
  { cluster, row }: { readonly cluster: ClusterModel; readonly row: ArchiveRow },
  body: ArchiveUpdate & PauseRules,
): Promise<ArchiveRow> {
  const before = row.settings;
  const settings = checked({
    ...before,
    criteria: changedCriteria(before.criteria, body.criteria),
    expiration: body.dataExpirationRule ? ruleIn(body.dataExpirationRule) : before.expiration,
    partitions: body.partitionFields ?? before.partitions,
    schedule: body.schedule ?? before.schedule,
  });
  const wish = body.paused ?? (body.state === undefined ? undefined : body.state !== 'ACTIVE');
  if (wish && body.pausesActiveOnly) checkPause(row);
  const state = stateAfter(row.state, wish);
  const changed = { ...row, settings, state };
  const resumes = isPaused(row.state) && !isPaused(state);
  if (resumes) await requireOnlyActive(tx, row);
  await saveArchive(tx, changed);
  await record(tx, 'UPDATED', row, actor);
  if (state === 'PAUSING' && row.state !== 'PAUSING') {
    await record(tx, 'PAUSE_REQUESTED', row, actor);
    const where = { queue: queueOf(row), onAnyInstance: true };
    await enqueueWork<ArchiveWork>(tx, PAUSE, cluster, { archiveId: row.id }, where);
  }
  // A run ends when it notices that the settings have changed. Request another run with the new settings.
  const isNew = !isPaused(state) && JSON.stringify(settings) !== JSON.stringify(before);
  if (resumes || isNew) await requestRun(tx, cluster, changed);
  return changed;
}

function stateAfter(state: ArchiveState, wish: boolean | undefined): ArchiveState {
  if (wish === undefined || wish === isPaused(state)) return state;
  return wish ? 'PAUSING' : 'PENDING';
}

/** Removes an archive. Archived files stay in the bucket. */
export async function removeArchive(tx: Tx, actor: Actor, row: ArchiveRow): Promise<void> {
  await deleteArchive(tx, row.id);
  await record(tx, 'DELETED', row, actor);
}

/** What a run has found, or why it failed. */
type RunEnd =
  | {
      readonly state: 'ACTIVE' | 'ORPHANED' | 'PENDING';
      /** Whether this or an earlier run has found the collection. */
      readonly seen: boolean;
    }
  | { readonly failure: string };

/** Changes the state after a run, unless a caller has paused the archive in the meantime. */
export async function endRun(tx: Tx, archiveId: string, end: RunEnd): Promise<void> {
  const row = await archiveById(tx, archiveId);
  if (row === undefined || isPaused(row.state)) return;
  if ('failure' in end) {
    // Record no further event while runs fail for the same reason.
    if (end.failure === row.failure) return;
    await saveArchive(tx, { ...row, failure: end.failure });
    return record(tx, 'FAILED', row, system, { reason: end.failure });
  }
  const returns = row.state === 'ORPHANED' && end.state !== 'ORPHANED';
  const state = returns && (await hasActiveRival(tx, row)) ? 'ORPHANED' : end.state;
  if (state === row.state && end.seen === row.seen && row.failure === undefined) return;
  await saveArchive(tx, { ...row, state, seen: end.seen, failure: undefined });
  if (state !== row.state && state !== 'PENDING') await record(tx, state, row, system);
}

/** Pauses an archive in the state `PAUSING` after its run has ended. */
export async function endPause(tx: Tx, archiveId: string): Promise<void> {
  const row = await archiveById(tx, archiveId);
  if (row?.state !== 'PAUSING') return;
  await saveArchive(tx, { ...row, state: 'PAUSED' });
  await record(tx, 'PAUSED', row, system);
}

/**
 * Enqueues a run of each archive whose window is open. Uses several short transactions, so that other changes need not
 * wait.
 */
export async function runDue(store: Store): Promise<void> {
  let after: string | undefined = '';
  while (after !== undefined) {
    const from: string = after;
    after = await store.write((tx) => runPage(tx, from));
  }
}

/** Returns the id of the last archive of the page; undefined if there are no more pages. */
async function runPage(tx: Tx, after: string): Promise<string | undefined> {
  const rows = await runningArchives(tx, after, PAGE);
  for (const row of rows) {
    if (!isOpen(row.settings.schedule, tx.now)) continue;
    const cluster = await clusterById(tx, row.clusterId);
    if (cluster !== undefined) await requestRun(tx, cluster, row);
  }
  return rows.length < PAGE ? undefined : rows.at(-1)?.id;
}

async function requestRun(tx: Tx, cluster: ClusterModel, row: ArchiveRow): Promise<void> {
  if (cluster.paused || cluster.state === 'DELETING' || !can(cluster, 'commands')) return;
  const where = { queue: queueOf(row), unlessWaiting: true };
  await enqueueWork<ArchiveWork>(tx, MOVE, cluster, { archiveId: row.id }, where);
}

async function record(
  tx: Tx,
  what: string,
  row: ArchiveRow,
  actor: Actor,
  details: Readonly<Record<string, string>> = {},
): Promise<void> {
  const cluster = await clusterById(tx, row.clusterId);
  const place = cluster === undefined ? {} : { clusterName: cluster.name };
  await recordInProject(tx, row.groupId, { type: `ONLINE_ARCHIVE_${what}`, actor, ...place, details });
}
