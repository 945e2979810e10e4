import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  service_account_secret: { service_account_id: string; created_at: number; expires_at: number | null };
  secret_warning: { service_account_id: string; secret_id: string; stage: string };
}

/** What a warning about a secret says. */
export interface SecretWarning {
  readonly secretId: string;
  readonly stage: 'EXPIRED' | 'EXPIRING';
}

/**
 * Returns the last warning about the secrets of an account. Returns undefined if there was no warning, or if it no
 * longer applies.
 */
export async function warningAbout(tx: ReadTx, clientId: string): Promise<SecretWarning | undefined> {
  const query = tx.from<Tables>().selectFrom('secret_warning').selectAll();
  const row = await query.where('service_account_id', '=', clientId).executeTakeFirst();
  return row && { secretId: row.secret_id, stage: row.stage as SecretWarning['stage'] };
}

export async function setWarning(
  tx: Tx,
  clientId: string,
  warning: SecretWarning | undefined,
): Promise<void> {
  const db = tx.from<Tables>();
  if (warning === undefined) {
    await db.deleteFrom('secret_warning').where('service_account_id', '=', clientId).execute();
    return;
  }
  const columns = { secret_id: warning.secretId, stage: warning.stage };
  const insert = db.insertInto('secret_warning').values({ service_account_id: clientId, ...columns });
  await insert.onConflict((of) => of.column('service_account_id').doUpdateSet(columns)).execute();
}

/** The last secret of an account to expire, with the stage of the last warning about the account. */
interface LastSecret {
  readonly clientId: string;
  readonly created: Date;
  readonly expires: Date;
  readonly stage: SecretWarning['stage'] | undefined;
}

/**
 * Returns, for each account, the secret that expires last. Omits secrets that expire after `before`, unless there was a
 * warning about the account. Omits accounts with a secret that never expires.
 */
export async function lastSecrets(tx: ReadTx, before: Date): Promise<LastSecret[]> {
  const rows = await tx
    .from<Tables>()
    .selectFrom('service_account_secret as secret')
    .leftJoin('secret_warning as warning', 'warning.service_account_id', 'secret.service_account_id')
    .select(['secret.service_account_id', 'secret.created_at', 'secret.expires_at', 'warning.stage'])
    .where(({ eb, or }) =>
      or([eb('warning.stage', 'is not', null), eb('secret.expires_at', '<=', codec.date.write(before))]),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('service_account_secret as other')
            .select('other.service_account_id')
            .whereRef('other.service_account_id', '=', 'secret.service_account_id')
            .where(({ eb, or, ref }) =>
              or([eb('other.expires_at', 'is', null), eb('other.expires_at', '>', ref('secret.expires_at'))]),
            ),
        ),
      ),
    )
    .execute();
  return rows.map((row) => ({
    clientId: row.service_account_id,
    created: codec.date.read(row.created_at),
    expires: codec.date.read(row.expires_at ?? 0),
    stage: (row.stage ?? undefined) as SecretWarning['stage'] | undefined,
  }));
}
