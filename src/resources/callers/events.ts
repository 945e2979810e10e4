import type { ApiKey, ServiceAccount } from '../../access/index.ts';
import type { Call } from '../../api/operation.ts';
import { recordEvent } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { orgIdOf } from './roles.ts';

/** Records what happened to a key or an account in the organization or the project of the path. */
export async function recordFor(
  tx: Tx,
  call: Pick<Call, 'scope' | 'actor'>,
  type: string,
  target: ApiKey | ServiceAccount,
  details: object = {},
): Promise<void> {
  const { scope, actor } = call;
  // Events know an account by its client id, as they know people by their names.
  const named =
    'publicKey' in target ? { targetPublicKey: target.publicKey } : { targetUsername: target.clientId };
  await recordEvent(tx, {
    type,
    orgId: orgIdOf(call),
    ...(scope?.kind === 'group' ? { groupId: scope.id } : {}),
    actor,
    details: { ...named, ...details },
  });
}
