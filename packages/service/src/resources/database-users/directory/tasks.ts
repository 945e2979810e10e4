import type { SecretBox } from '@portolan/foundation/secret-box';
import type { Tx } from '../../../store/index.ts';
import { enqueue, step, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { type CheckRow, endCheck, findCheck, insertCheck } from './rows.ts';
import type { DirectoryCheckRequest, Validation } from './schema.ts';
import { verifyInThread } from './verify-in-thread.ts';

const VERIFY = { kind: 'directory.verify' };

interface VerifyWork {
  readonly checkId: string;
}

const contextOf = (id: string) => `LDAP verification ${id}`;

/** Enqueues the verification of an LDAP server. */
export async function requestCheck(
  tx: Tx,
  { groupId, box }: { readonly groupId: string; readonly box: SecretBox },
  { bindPassword, links: _, ...request }: DirectoryCheckRequest,
): Promise<CheckRow> {
  const id = tx.id();
  const sealed = box.seal(bindPassword, contextOf(id));
  const row: CheckRow = { id, groupId, request, sealed, validations: undefined };
  await insertCheck(tx, row);
  await enqueue<VerifyWork>(tx, VERIFY, { key: `directory:${id}`, owner: groupId, payload: { checkId: id } });
  return row;
}

export const verifyServer: TaskKind<VerifyWork, Services> = {
  ...VERIFY,
  awaitsExternalServices: true,
  steps: [
    step<VerifyWork, Services, readonly Validation[]>({
      name: 'verify',
      async run({ services, store, payload }) {
        const row = await store.read((tx) => findCheck(tx, payload.checkId));
        if (row?.sealed === undefined) return row?.validations ?? [];
        const password = services.secrets.open(row.sealed, contextOf(row.id)).toString();
        const access = { password, allowPrivate: services.clouds.privateTargets };
        return verifyInThread({ server: row.request, access });
      },
      commit: (tx, { payload }, results) => endCheck(tx, payload.checkId, results),
    }),
  ],
};
