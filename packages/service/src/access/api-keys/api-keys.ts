import type { PageRange, ReadTx, Tx } from '../../store/index.ts';
import type { Grant } from '../caller.ts';
import { type ApiKeyRow, grantsOfAll, type PrincipalOwner } from '../rows.ts';
import { findKeyRow, pageOfKeyRows, setKeyDescription } from './rows.ts';

export { countKeys } from './rows.ts';

/** An API key with a masked private key. Only the response to its creation contains the private key in clear text. */
export interface ApiKey {
  readonly id: string;
  readonly orgId: string;
  readonly publicKey: string;
  readonly maskedPrivateKey: string;
  readonly description: string;
  readonly grants: readonly Grant[];
}

function withGrants(row: ApiKeyRow, grants: ReadonlyMap<string, readonly Grant[]>): ApiKey {
  return {
    id: row.id,
    orgId: row.org_id,
    publicKey: row.public_key,
    maskedPrivateKey: row.private_key_mask,
    description: row.description,
    grants: grants.get(row.id) ?? [],
  };
}

/** Returns the API keys of an organization, or the API keys with a role on a project. The oldest key is first. */
export async function pageOfKeys(tx: ReadTx, owner: PrincipalOwner, range: PageRange) {
  const { rows, next } = await pageOfKeyRows(tx, owner, range);
  const grants = await grantsOfAll(
    tx,
    rows.map(({ id }) => id),
  );
  return { keys: rows.map((row) => withGrants(row, grants)), next };
}

export async function findKey(tx: ReadTx, id: string): Promise<ApiKey | undefined> {
  const row = await findKeyRow(tx, id);
  return row && withGrants(row, await grantsOfAll(tx, [id]));
}

export const describeKey = (tx: Tx, id: string, description: string): Promise<void> =>
  setKeyDescription(tx, id, description);
