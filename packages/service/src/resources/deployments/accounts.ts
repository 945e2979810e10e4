import { isDeepStrictEqual } from 'node:util';
import { type AccountBook, keyOf, mergedRecord } from '../../adopted/index.ts';
import type { Store } from '../../store/index.ts';
import { accountsOf, deleteAccount, putAccount } from './account-rows.ts';
import { deploymentById } from './rows.ts';

/** Gives the engine for adopted deployments access to the records of their accounts. */
export function accountBook(store: Store): AccountBook {
  return {
    of: (id) => store.read((tx) => accountsOf(tx, id)),
    save: (id, record) =>
      store.write(async (tx) => {
        const before = (await accountsOf(tx, id)).find((one) => keyOf(one) === keyOf(record));
        const saved = mergedRecord(before, record);
        // The deployment may have been released in the meantime.
        const isKept = (await deploymentById(tx, id)) !== undefined;
        if (isKept && !isDeepStrictEqual(before, saved)) await putAccount(tx, id, saved);
        return { before, saved };
      }),
    remove: (id, account) => store.write((tx) => deleteAccount(tx, id, account)),
  };
}
