import type { Selectable } from 'kysely';
import { codec, fetchPage, type PageRange, type ReadTx, type Tx } from '../../../store/index.ts';
import type { Alert, AlertStatus } from './schema.ts';

interface Tables {
  alert: {
    id: string;
    group_id: string;
    configuration_id: string;
    event_type: string;
    target: string;
    cluster_id: string | null;
    status: string;
    created: number;
    updated: number;
    last_notified: number | null;
    resolved: number | null;
    document: string;
  };
}

/** The subject of an alert as the API returns it. */
export type AlertSubject = Pick<
  Alert,
  | 'clusterId'
  | 'clusterName'
  | 'currentValue'
  | 'hostnameAndPort'
  | 'metricName'
  | 'nonRunningHostIds'
  | 'parentClusterId'
  | 'replicaSetName'
  | 'userAlias'
>;

interface AlertDocument {
  readonly subject: AlertSubject;
  readonly acknowledged?: {
    /** The end of the acknowledgement in ISO 8601. */
    readonly until: string;
    readonly comment?: string;
    readonly by: string;
  };
}

export interface AlertRow {
  readonly id: string;
  readonly groupId: string;
  readonly configurationId: string;
  readonly eventType: string;
  /** The key of the target. A configuration has at most one live alert per target. */
  readonly target: string;
  /** The cluster that the alert is about. */
  readonly clusterId: string | undefined;
  readonly status: AlertStatus;
  readonly created: Date;
  readonly updated: Date;
  readonly lastNotified: Date | undefined;
  readonly resolved: Date | undefined;
  readonly document: AlertDocument;
}

const document = codec.json<AlertDocument>();

function readAlertRow(row: Selectable<Tables['alert']>): AlertRow {
  return {
    id: row.id,
    groupId: row.group_id,
    configurationId: row.configuration_id,
    eventType: row.event_type,
    target: row.target,
    clusterId: row.cluster_id ?? undefined,
    status: row.status as AlertStatus,
    created: codec.date.read(row.created),
    updated: codec.date.read(row.updated),
    lastNotified: codec.optionalDate.read(row.last_notified),
    resolved: codec.optionalDate.read(row.resolved),
    document: document.read(row.document),
  };
}

function writeAlertRow(row: AlertRow): Tables['alert'] {
  return {
    id: row.id,
    group_id: row.groupId,
    configuration_id: row.configurationId,
    event_type: row.eventType,
    target: row.target,
    cluster_id: row.clusterId ?? null,
    status: row.status,
    created: codec.date.write(row.created),
    updated: codec.date.write(row.updated),
    last_notified: codec.optionalDate.write(row.lastNotified),
    resolved: codec.optionalDate.write(row.resolved),
    document: document.write(row.document),
  };
}

const alerts = (tx: ReadTx) => tx.from<Tables>().selectFrom('alert').selectAll();

export async function insertAlert(tx: Tx, row: AlertRow): Promise<void> {
  await tx.from<Tables>().insertInto('alert').values(writeAlertRow(row)).execute();
}

export async function updateAlert(tx: Tx, row: AlertRow): Promise<void> {
  const { id, ...columns } = writeAlertRow(row);
  await tx.from<Tables>().updateTable('alert').set(columns).where('id', '=', id).execute();
}

export async function alertById(tx: ReadTx, id: string): Promise<AlertRow | undefined> {
  const row = await alerts(tx).where('id', '=', id).executeTakeFirst();
  return row && readAlertRow(row);
}

/**
 * Returns the live alerts about a target and event type, of all configurations. An alert is live until it is closed.
 */
export async function liveAlertsAbout(
  tx: ReadTx,
  { groupId, eventType, target }: Pick<AlertRow, 'groupId' | 'eventType' | 'target'>,
): Promise<AlertRow[]> {
  const query = alerts(tx).where('group_id', '=', groupId).where('target', '=', target);
  const live = query.where('status', '<>', 'CLOSED').where('event_type', '=', eventType);
  return (await live.orderBy('id').execute()).map(readAlertRow);
}

/** Returns the live alerts of a configuration. */
export async function liveAlertsOf(tx: ReadTx, configurationId: string): Promise<AlertRow[]> {
  const query = alerts(tx).where('configuration_id', '=', configurationId);
  return (await query.where('status', '<>', 'CLOSED').orderBy('id').execute()).map(readAlertRow);
}

/** Returns the live alerts about some clusters. */
export async function liveAlertsAmong(tx: ReadTx, clusterIds: readonly string[]): Promise<AlertRow[]> {
  if (clusterIds.length === 0) return [];
  const query = alerts(tx).where('cluster_id', 'in', clusterIds).where('status', '<>', 'CLOSED');
  return (await query.execute()).map(readAlertRow);
}

/** Returns the live alerts of some event types. */
export async function liveAlertsOfEvents(tx: ReadTx, eventTypes: readonly string[]): Promise<AlertRow[]> {
  const query = alerts(tx).where('event_type', 'in', eventTypes).where('status', '<>', 'CLOSED');
  return (await query.execute()).map(readAlertRow);
}

/** Returns the live alerts about a cluster. */
export async function liveAlertsOfCluster(tx: ReadTx, clusterId: string): Promise<AlertRow[]> {
  const query = alerts(tx).where('cluster_id', '=', clusterId).where('status', '<>', 'CLOSED');
  return (await query.orderBy('id').execute()).map(readAlertRow);
}

/** Returns a page of the alerts, oldest first. */
export async function pageOfAlerts(
  tx: ReadTx,
  groupId: string,
  status: AlertStatus | undefined,
  page: PageRange,
) {
  const all = alerts(tx).where('group_id', '=', groupId);
  const query = status === undefined ? all : all.where('status', '=', status);
  const { rows, next } = await fetchPage(query, 'id', page);
  return { rows: rows.map(readAlertRow), next };
}

const closedAlerts = (tx: ReadTx) => tx.from<Tables>().selectFrom('alert').where('status', '=', 'CLOSED');

/** Returns the ids and projects of up to `most` alerts that were closed before a date. */
export async function closedBefore(tx: ReadTx, before: Date, most: number) {
  const old = closedAlerts(tx).where('resolved', '<', codec.date.write(before)).orderBy('resolved');
  const rows = await old.select(['id', 'group_id']).limit(most).execute();
  return rows.map((row) => ({ id: row.id, groupId: row.group_id }));
}

/** Returns up to `most` closed alerts of a project, except the newest `kept`. */
export async function closedBeyond(tx: ReadTx, groupId: string, kept: number, most: number) {
  const newest = closedAlerts(tx).where('group_id', '=', groupId).orderBy('id', 'desc');
  const rows = await newest.select('id').limit(most).offset(kept).execute();
  return rows.map(({ id }) => ({ id, groupId }));
}

/** Returns the first project after `groupId` that has closed alerts. */
export async function projectWithClosed(tx: ReadTx, groupId: string): Promise<string | undefined> {
  const later = closedAlerts(tx).where('group_id', '>', groupId).orderBy('group_id');
  return (await later.select('group_id').limit(1).executeTakeFirst())?.group_id;
}

/** Deletes alerts. Returns the project of each alert that still existed. */
export async function deleteAlerts(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const deletion = tx.from<Tables>().deleteFrom('alert').where('id', 'in', ids);
  return (await deletion.returning('group_id').execute()).map((row) => row.group_id);
}

const openAlerts = (tx: ReadTx, configurationId: string) =>
  tx
    .from<Tables>()
    .selectFrom('alert')
    .where('configuration_id', '=', configurationId)
    .where('status', '=', 'OPEN');

/** Returns the open alerts of a configuration, oldest first. */
export async function pageOfOpenAlerts(tx: ReadTx, configurationId: string, page: PageRange) {
  const { rows, next } = await fetchPage(openAlerts(tx, configurationId).selectAll(), 'id', page);
  return { rows: rows.map(readAlertRow), next };
}

/** Returns the number of open alerts of a configuration. Each target has at most one, so counting is cheap. */
export async function countOfOpenAlerts(tx: ReadTx, configurationId: string): Promise<number> {
  const count = openAlerts(tx, configurationId).select((of) => of.fn.countAll<number>().as('count'));
  return Number((await count.executeTakeFirstOrThrow()).count);
}
