import { codec, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  organization_settings: { org_id: string; document: string };
}

/**
 * The stored settings. The setting that requires access lists is in a separate table, since every request checks it.
 */
export interface StoredSettings {
  readonly customSessionTimeouts?: SessionTimeouts | null;
  readonly genAIFeaturesEnabled?: boolean;
  readonly maxServiceAccountSecretValidityInHours?: number;
  readonly multiFactorAuthRequired?: boolean;
  readonly operationsContact?: string | null;
  readonly restrictEmployeeAccess?: boolean;
  readonly securityContact?: string | null;
  readonly streamsCrossGroupEnabled?: boolean;
}

interface SessionTimeouts {
  readonly absoluteSessionTimeoutInSeconds?: number | null;
  readonly idleSessionTimeoutInSeconds?: number | null;
}

const document = codec.json<StoredSettings>();

export async function readStoredSettings(tx: ReadTx, orgId: string): Promise<StoredSettings> {
  const query = tx.from<Tables>().selectFrom('organization_settings').select('document');
  const row = await query.where('org_id', '=', orgId).executeTakeFirst();
  return row ? document.read(row.document) : {};
}

export async function saveStoredSettings(tx: Tx, orgId: string, settings: StoredSettings): Promise<void> {
  const values = { org_id: orgId, document: document.write(settings) };
  const insert = tx.from<Tables>().insertInto('organization_settings').values(values);
  await insert.onConflict((of) => of.column('org_id').doUpdateSet({ document: values.document })).execute();
}
