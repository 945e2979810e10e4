import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { IntegrationName } from './kinds.ts';
import type { Integration } from './schema.ts';

interface Tables {
  integration: {
    id: string;
    group_id: string;
    type: string;
    document: string;
    secrets: Uint8Array | null;
  };
  alert_configuration_integration: { configuration_id: string; integration_id: string };
}

type IntegrationFields = Omit<Integration, 'id' | 'type'>;

/** A third-party integration of a project. */
export interface IntegrationRow {
  readonly id: string;
  readonly groupId: string;
  readonly type: IntegrationName;
  /**
   * The fields of the integration, with masked secrets. The type of the integration determines which fields exist.
   */
  readonly document: IntegrationFields;
  /** The encrypted secrets. */
  readonly secrets: Uint8Array | undefined;
}

const document = codec.json<IntegrationFields>();

function readIntegrationRow(row: Selectable<Tables['integration']>): IntegrationRow {
  return {
    id: row.id,
    groupId: row.group_id,
    type: row.type as IntegrationName,
    document: document.read(row.document),
    secrets: row.secrets ?? undefined,
  };
}

function writeIntegrationRow(row: IntegrationRow): Tables['integration'] {
  return {
    id: row.id,
    group_id: row.groupId,
    type: row.type,
    document: document.write(row.document),
    secrets: row.secrets ?? null,
  };
}

export async function insertIntegration(tx: Tx, row: IntegrationRow): Promise<void> {
  await tx.from<Tables>().insertInto('integration').values(writeIntegrationRow(row)).execute();
}

export async function updateIntegration(tx: Tx, row: IntegrationRow): Promise<void> {
  const { id, ...columns } = writeIntegrationRow(row);
  await tx.from<Tables>().updateTable('integration').set(columns).where('id', '=', id).execute();
}

export async function deleteIntegration(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('integration').where('id', '=', id).execute();
}

/** Returns the integrations of a project by type; at most one of each type. */
export async function integrationsOf(tx: ReadTx, groupId: string): Promise<IntegrationRow[]> {
  const query = tx.from<Tables>().selectFrom('integration').selectAll().where('group_id', '=', groupId);
  return (await query.orderBy('type').execute()).map(readIntegrationRow);
}

/** Whether a notification uses the credentials of an integration. */
export async function isIntegrationUsed(tx: ReadTx, { id }: IntegrationRow): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('alert_configuration_integration').select('configuration_id');
  return (await query.where('integration_id', '=', id).limit(1).executeTakeFirst()) !== undefined;
}
