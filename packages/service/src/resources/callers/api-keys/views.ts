import { type ApiKey, countKeys, type PrincipalOwner, pageOfKeys } from '../../../access/index.ts';
import type { PageRequest, ReadTx } from '../../../store/index.ts';
import { roleAssignments } from '../../organizations/index.ts';

/** Presents a key; the private key is masked except right after its creation. */
export function presentKey(key: ApiKey, privateKey = key.maskedPrivateKey) {
  const { id, description, publicKey, grants } = key;
  return { desc: description, id, privateKey, publicKey, roles: roleAssignments(grants) };
}

export async function presentKeys(tx: ReadTx, owner: PrincipalOwner, page: PageRequest) {
  const { keys, next } = await pageOfKeys(tx, owner, page);
  const totalCount = page.includeCount ? await countKeys(tx, owner) : undefined;
  return { results: keys.map((key) => presentKey(key)), next, totalCount };
}
