import { inBatches } from '@portolan/foundation/in-batches';
import type { Kysely, Selectable } from 'kysely';
import {
  codec,
  fetchPage,
  type PageRange,
  prepared,
  preparedInsert,
  type ReadTx,
  type Tx,
} from '../../../store/index.ts';
import type { StoredNotification } from '../notifications/read.ts';
import type { AlertConfiguration, Matcher } from './schema.ts';

interface Tables {
  alert_configuration: {
    id: string;
    group_id: string;
    created: number;
    updated: number;
    enabled: number;
    event_type: string;
    document: string;
    secrets: Uint8Array | null;
    weight: number;
  };
  /** The integrations whose credentials the notifications of a configuration use. */
  alert_configuration_integration: { configuration_id: string; integration_id: string };
}

/** A configuration without its event type. Stored thresholds contain every field. Secrets are masked. */
interface ConfigurationDocument
  extends Pick<AlertConfiguration, 'threshold' | 'metricThreshold' | 'severityOverride'> {
  readonly matchers: readonly Matcher[];
  readonly notifications: readonly StoredNotification[];
}

export interface ConfigurationRow {
  readonly id: string;
  readonly groupId: string;
  readonly created: Date;
  readonly updated: Date;
  readonly enabled: boolean;
  readonly eventType: string;
  readonly document: ConfigurationDocument;
  /** The secrets of the notifications, encrypted by `sealSecrets`; undefined if no notification has secrets. */
  readonly secrets: Uint8Array | undefined;
  /** The result of `weightOf`; 0 for the default configurations of a project. */
  readonly weight: number;
}

const document = codec.json<ConfigurationDocument>();

function readConfigurationRow(row: Selectable<Tables['alert_configuration']>): ConfigurationRow {
  return {
    id: row.id,
    groupId: row.group_id,
    created: codec.date.read(row.created),
    updated: codec.date.read(row.updated),
    enabled: row.enabled === 1,
    eventType: row.event_type,
    document: document.read(row.document),
    secrets: row.secrets ?? undefined,
    weight: row.weight,
  };
}

function writeConfigurationRow(row: ConfigurationRow): Tables['alert_configuration'] {
  return columnsOf({ ...row, document: writeDocument(row.document) });
}

/** A configuration with its document as JSON text, which `writeDocument` returns. */
export interface WrittenConfiguration extends Omit<ConfigurationRow, 'document'> {
  readonly document: string;
}

export function writeDocument(value: ConfigurationDocument): string {
  return document.write(value);
}

function columnsOf(row: WrittenConfiguration): Tables['alert_configuration'] {
  return {
    id: row.id,
    group_id: row.groupId,
    created: codec.date.write(row.created),
    updated: codec.date.write(row.updated),
    enabled: row.enabled ? 1 : 0,
    event_type: row.eventType,
    document: row.document,
    secrets: row.secrets ?? null,
    weight: row.weight,
  };
}

const configurations = (tx: ReadTx) => tx.from<Tables>().selectFrom('alert_configuration').selectAll();

/** The statement is prepared, since it runs for the default configurations of each new project. */
const insert = preparedInsert((db: Kysely<Tables>, rows: readonly Tables['alert_configuration'][]) =>
  db.insertInto('alert_configuration').values(rows),
);

export async function insertConfigurations(tx: Tx, rows: readonly ConfigurationRow[]): Promise<void> {
  await insert(tx, rows.map(writeConfigurationRow));
  await linkIntegrations(tx, rows);
}

export async function updateConfiguration(tx: Tx, row: ConfigurationRow): Promise<void> {
  const { id, ...columns } = writeConfigurationRow(row);
  await tx.from<Tables>().updateTable('alert_configuration').set(columns).where('id', '=', id).execute();
  const former = tx.from<Tables>().deleteFrom('alert_configuration_integration');
  await former.where('configuration_id', '=', id).execute();
  await linkIntegrations(tx, [row]);
}

/** Inserts configurations whose notifications use no integrations. */
export async function insertWritten(tx: Tx, rows: readonly WrittenConfiguration[]): Promise<void> {
  await insert(tx, rows.map(columnsOf));
}

async function linkIntegrations(tx: Tx, rows: readonly ConfigurationRow[]): Promise<void> {
  const links = rows.flatMap(({ id, document: { notifications } }) =>
    [...new Set(notifications.map(({ integrationId }) => integrationId))]
      .filter((integration) => integration !== undefined)
      .map((integration) => ({ configuration_id: id, integration_id: integration })),
  );
  if (links.length === 0) return;
  await tx.from<Tables>().insertInto('alert_configuration_integration').values(links).execute();
}

export async function deleteConfiguration(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('alert_configuration').where('id', '=', id).execute();
}

export async function findConfiguration(
  tx: ReadTx,
  groupId: string,
  id: string,
): Promise<ConfigurationRow | undefined> {
  const query = configurations(tx).where('id', '=', id).where('group_id', '=', groupId);
  const row = await query.executeTakeFirst();
  return row && readConfigurationRow(row);
}

/** Returns the enabled configurations of an event type in a project, oldest first. */
export async function enabledConfigurations(
  tx: ReadTx,
  groupId: string,
  eventType: string,
): Promise<ConfigurationRow[]> {
  return (await enabledFor.all(tx, { groupId, eventType })).map(readConfigurationRow);
}

/** The statement is prepared, since it runs for each event. */
const enabledFor = prepared((db: Kysely<Tables>, of: { groupId: string; eventType: string }) =>
  db
    .selectFrom('alert_configuration')
    .selectAll()
    .where('group_id', '=', of.groupId)
    .where('event_type', '=', of.eventType)
    .where('enabled', '=', 1)
    .orderBy('id'),
);

/** Returns the enabled configurations of some event types in some projects. */
export async function enabledAmong(
  tx: ReadTx,
  groupIds: readonly string[],
  eventTypes: readonly string[],
): Promise<ConfigurationRow[]> {
  if (groupIds.length === 0) return [];
  const query = configurations(tx).where('group_id', 'in', groupIds).where('event_type', 'in', eventTypes);
  return (await query.where('enabled', '=', 1).execute()).map(readConfigurationRow);
}

/** Returns the event types that configurations of a project use. */
export async function configuredEvents(tx: ReadTx, groupId: string): Promise<ReadonlySet<string>> {
  const query = tx.from<Tables>().selectFrom('alert_configuration').select('event_type').distinct();
  const rows = await query.where('group_id', '=', groupId).execute();
  return new Set(rows.map(({ event_type }) => event_type));
}

/** Number of projects per query. SQLite permits 32,766 parameters in a statement, and PostgreSQL 65,535. */
const PROJECTS_AT_ONCE = 1_000;

/** Returns the given projects that have an enabled configuration of one of these event types. */
export async function configuredAmong(
  tx: ReadTx,
  groupIds: readonly string[],
  eventTypes: readonly string[],
): Promise<string[]> {
  const all = tx.from<Tables>().selectFrom('alert_configuration').select('group_id').distinct();
  const wanted = all.where('event_type', 'in', eventTypes).where('enabled', '=', 1);
  const found: string[] = [];
  for (const some of inBatches(groupIds, PROJECTS_AT_ONCE)) {
    const rows = await wanted.where('group_id', 'in', some).execute();
    found.push(...rows.map(({ group_id }) => group_id));
  }
  return found;
}

/** Returns the weight of all configurations of a project except one. */
export async function weightOfOthers(
  tx: ReadTx,
  { id, groupId }: Pick<ConfigurationRow, 'id' | 'groupId'>,
): Promise<number> {
  const query = tx.from<Tables>().selectFrom('alert_configuration').where('group_id', '=', groupId);
  const sum = query.where('id', '<>', id).select((of) => of.fn.sum<number | null>('weight').as('weight'));
  return Number((await sum.executeTakeFirstOrThrow()).weight ?? 0);
}

/** Returns the configurations of a project, oldest first. */
export async function pageOfConfigurations(tx: ReadTx, groupId: string, page: PageRange) {
  const query = configurations(tx).where('group_id', '=', groupId);
  const { rows, next } = await fetchPage(query, 'id', page);
  return { rows: rows.map(readConfigurationRow), next };
}
