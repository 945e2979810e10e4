import { codec, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  one_time_code: {
    user_id: string;
    sealed: Uint8Array;
    confirmed: number;
    last_step: number;
    recovery: string;
  };
}

export interface CodesRow {
  readonly userId: string;
  /** The encrypted secret. */
  readonly sealed: Uint8Array;
  /** Whether the person has entered a first code. Logins require codes only after that. */
  readonly isConfirmed: boolean;
  /** The time step of the last accepted code, since each code is accepted only once. */
  readonly lastStep: number;
  /** The hashes of the unused recovery codes. */
  readonly recovery: readonly string[];
}

const hashes = codec.json<readonly string[]>();

export async function findCodes(tx: ReadTx, userId: string): Promise<CodesRow | undefined> {
  const query = tx.from<Tables>().selectFrom('one_time_code').selectAll().where('user_id', '=', userId);
  const row = await query.executeTakeFirst();
  return (
    row && {
      userId,
      sealed: row.sealed,
      isConfirmed: row.confirmed === 1,
      lastStep: row.last_step,
      recovery: hashes.read(row.recovery),
    }
  );
}

export async function putCodes(tx: Tx, row: CodesRow): Promise<void> {
  const values = {
    sealed: row.sealed,
    confirmed: row.isConfirmed ? 1 : 0,
    last_step: row.lastStep,
    recovery: hashes.write(row.recovery),
  };
  await tx
    .from<Tables>()
    .insertInto('one_time_code')
    .values({ user_id: row.userId, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** Deletes the one-time codes of a person. Returns whether the person had any. */
export async function deleteCodes(tx: Tx, userId: string): Promise<boolean> {
  const query = tx.from<Tables>().deleteFrom('one_time_code').where('user_id', '=', userId);
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
