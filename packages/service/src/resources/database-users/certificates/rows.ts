import { codec, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  certificate_authority: { group_id: string; certificate: string; sealed_key: Uint8Array };
  user_certificate: {
    group_id: string;
    serial: number;
    user_id: string;
    subject: string;
    created: number;
    not_after: number;
  };
}

/** The certificate authority for a project's users. */
export interface AuthorityRow {
  readonly groupId: string;
  /** The certificate in PEM. */
  readonly certificate: string;
  readonly sealedKey: Uint8Array;
}

export interface CertificateRow {
  readonly groupId: string;
  readonly serial: number;
  readonly userId: string;
  readonly subject: string;
  readonly created: Date;
  readonly notAfter: Date;
}

export async function authorityOf(tx: ReadTx, groupId: string): Promise<AuthorityRow | undefined> {
  const query = tx.from<Tables>().selectFrom('certificate_authority').selectAll();
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && { groupId, certificate: row.certificate, sealedKey: row.sealed_key };
}

export async function saveAuthority(
  tx: Tx,
  { groupId, certificate, sealedKey: sealed_key }: AuthorityRow,
): Promise<void> {
  const values = { group_id: groupId, certificate, sealed_key };
  const insert = tx.from<Tables>().insertInto('certificate_authority').values(values);
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ certificate, sealed_key })).execute();
}

export async function insertCertificate(tx: Tx, row: CertificateRow): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('user_certificate')
    .values({
      group_id: row.groupId,
      serial: row.serial,
      user_id: row.userId,
      subject: row.subject,
      created: codec.date.write(row.created),
      not_after: codec.date.write(row.notAfter),
    })
    .execute();
}

/** Returns the certificates of a user that are valid at the time `at`, oldest first. */
export async function certificatesOf(tx: ReadTx, userId: string, at: Date): Promise<CertificateRow[]> {
  const query = tx.from<Tables>().selectFrom('user_certificate').selectAll().where('user_id', '=', userId);
  const valid = query.where('not_after', '>=', codec.date.write(at));
  const rows = await valid.orderBy('created').orderBy('serial').execute();
  return rows.map((row) => ({
    groupId: row.group_id,
    serial: row.serial,
    userId,
    subject: row.subject,
    created: codec.date.read(row.created),
    notAfter: codec.date.read(row.not_after),
  }));
}
