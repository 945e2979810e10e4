import { codec, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  project_auditing: {
    group_id: string;
    enabled: number;
    filter: string | null;
    authorization_success: number;
  };
}

export interface Auditing {
  readonly enabled: boolean;
  /** A query document as JSON, exactly as received; absent if none was set. */
  readonly filter?: string;
  /** Whether successful authorization checks are also audited. */
  readonly authorizationSuccess: boolean;
}

export async function findAuditing(tx: ReadTx, groupId: string): Promise<Auditing | undefined> {
  const query = tx.from<Tables>().selectFrom('project_auditing').selectAll();
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return (
    row && {
      enabled: codec.boolean.read(row.enabled),
      authorizationSuccess: codec.boolean.read(row.authorization_success),
      ...(row.filter === null ? {} : { filter: row.filter }),
    }
  );
}

export async function saveAuditing(tx: Tx, groupId: string, auditing: Auditing): Promise<void> {
  const columns = {
    enabled: codec.boolean.write(auditing.enabled),
    filter: auditing.filter ?? null,
    authorization_success: codec.boolean.write(auditing.authorizationSuccess),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('project_auditing')
    .values({ group_id: groupId, ...columns });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet(columns)).execute();
}
