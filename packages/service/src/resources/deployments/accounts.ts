import { isDeepStrictEqual } from 'node:util';
import { type AccountBook, disturbedRecord, keyOf, mergedRecord, Outdated } from '../../adopted/index.ts';
import type { Store, Tx } from '../../store/index.ts';
import { applyAccessAgain } from '../clusters/index.ts';
import { type AccountRow, accountsOf, deleteAccount, putAccount } from './account-rows.ts';
import { beginAccess } from './rows.ts';

/** Gives the engine for adopted deployments access to the stored records of accounts. */
export function accountBook(store: Store): AccountBook {
  return {
    of: (id) => store.read((tx) => accountsOf(tx, id)),
    async begin({ deploymentId: id, revision }) {
      const records = await store.write(async (tx) => {
        const isCurrent = await beginAccess(tx, id, revision);
        return isCurrent === false ? undefined : accountsOf(tx, id);
      });
      if (records === undefined) throw new Outdated();
      return records;
    },
    save: (run, record) =>
      changed(store, run, record, async (tx, before, isKept) => {
        const saved = mergedRecord(before, record);
        if (isKept && !isDeepStrictEqual(before, saved)) await putAccount(tx, run.deploymentId, saved);
        return saved;
      }),
    remove: (run, record) => changed(store, run, record, (tx) => deleteAccount(tx, run.deploymentId, record)),
  };
}

type Run = Parameters<AccountBook['begin']>[0];

/**
 * Changes the record of an account on behalf of a run, which applies the accounts of one revision. If a run for a newer
 * revision has begun, throws `Outdated`. In this case, also enqueues a task that applies the current accounts again,
 * since the outdated run may have changed the account on the servers. `isKept` says whether the deployment is still
 * adopted.
 */
async function changed<T>(
  store: Store,
  { deploymentId: id, revision }: Run,
  record: AccountRow,
  change: (tx: Tx, before: AccountRow | undefined, isKept: boolean) => Promise<T>,
): Promise<T> {
  const result = await store.write(async (tx) => {
    const isCurrent = await beginAccess(tx, id, revision);
    const before = (await accountsOf(tx, id)).find((one) => keyOf(one) === keyOf(record));
    if (isCurrent !== false) return { value: await change(tx, before, isCurrent === true) };
    await putAccount(tx, id, disturbedRecord(before, record));
    await applyAccessAgain(tx, id);
    return undefined;
  });
  if (result === undefined) throw new Outdated();
  return result.value;
}
