import { codec, type ReadTx, type Tx } from '../../../store/index.ts';
import type { DirectoryCheckRequest, Validation } from './schema.ts';

interface Tables {
  directory_check: {
    id: string;
    group_id: string;
    request: string;
    sealed: Uint8Array | null;
    validations: string | null;
  };
}

export interface CheckRow {
  readonly id: string;
  readonly groupId: string;
  readonly request: Omit<DirectoryCheckRequest, 'bindPassword' | 'links'>;
  /** The encrypted password. It is deleted when the verification ends. */
  readonly sealed: Uint8Array | undefined;
  /** The results of the verification; undefined until it ends. */
  readonly validations: readonly Validation[] | undefined;
}

/** The number of verifications of a project that are kept. */
const KEPT = 100;

const request = codec.json<CheckRow['request']>();
const validations = codec.json<readonly Validation[]>();

export async function findCheck(tx: ReadTx, id: string): Promise<CheckRow | undefined> {
  const query = tx.from<Tables>().selectFrom('directory_check').selectAll();
  const row = await query.where('id', '=', id).executeTakeFirst();
  return (
    row && {
      id: row.id,
      groupId: row.group_id,
      request: request.read(row.request),
      sealed: row.sealed ?? undefined,
      validations: row.validations === null ? undefined : validations.read(row.validations),
    }
  );
}

/** Adds a verification, and deletes the oldest ones of the project beyond the number that is kept. */
export async function insertCheck(tx: Tx, row: CheckRow): Promise<void> {
  const checks = tx.from<Tables>();
  const values = {
    id: row.id,
    group_id: row.groupId,
    request: request.write(row.request),
    sealed: row.sealed ?? null,
    validations: null,
  };
  await checks.insertInto('directory_check').values(values).execute();
  const newest = checks.selectFrom('directory_check').select('id').where('group_id', '=', row.groupId);
  const last = await newest.orderBy('id', 'desc').offset(KEPT).limit(1).executeTakeFirst();
  if (last === undefined) return;
  const old = checks.deleteFrom('directory_check').where('group_id', '=', row.groupId);
  await old.where('id', '<=', last.id).execute();
}

/** Stores the results, and deletes the password. */
export async function endCheck(tx: Tx, id: string, results: readonly Validation[]): Promise<void> {
  const columns = { sealed: null, validations: validations.write(results) };
  await tx.from<Tables>().updateTable('directory_check').set(columns).where('id', '=', id).execute();
}
