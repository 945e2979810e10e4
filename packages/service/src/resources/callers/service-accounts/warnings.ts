import {
  type AccountSecret,
  findAccount,
  grantsOn,
  type SecretWarning,
  type ServiceAccount,
  setWarning,
  warningAbout,
} from '../../../access/index.ts';
import { recordEvent, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { usersAmong } from '../../accounts/index.ts';
import { expiringSecretNotice, mailNotice } from '../../mails/index.ts';
import { findOrganization } from '../../organizations/index.ts';

/** How long before its expiry a secret counts as expiring (docs/contract/access.md 1.3). */
export const WARNING_MS = 7 * 86_400_000;

type Stage = SecretWarning['stage'];

/**
 * Returns the stage of a secret at a time. A secret that is valid for seven days or less never counts as expiring. A
 * warning would follow its creation at once, and would contain nothing new.
 */
export function stageAt(
  now: Date,
  { created, expires }: { readonly created: Date; readonly expires: Date },
): Stage | undefined {
  if (expires <= now) return 'EXPIRED';
  const begins = expires.getTime() - WARNING_MS;
  return created.getTime() < begins && begins <= now.getTime() ? 'EXPIRING' : undefined;
}

/**
 * Returns the secret of an account that expires last; undefined if one of the secrets never expires. The service warns
 * only about this secret. While it is valid, the account does not need its other secret.
 */
function lastToExpire(secrets: readonly AccountSecret[]) {
  const expiring = secrets.flatMap(({ expires, ...secret }) => (expires ? [{ ...secret, expires }] : []));
  if (expiring.length < secrets.length) return undefined;
  return expiring.sort((left, right) => right.expires.getTime() - left.expires.getTime())[0];
}

/**
 * Warns the organization about the secret of an account, once per stage. Ends the warning when its reason no longer
 * exists. Call this function after each change of the account's secrets, and when time has passed.
 */
export async function reviewSecrets(tx: Tx, clientId: string): Promise<void> {
  const account = await findAccount(tx, clientId);
  if (account === undefined) return;
  const before = await warningAbout(tx, clientId);
  const secret = lastToExpire(account.secrets);
  const stage = secret && stageAt(tx.now, secret);
  const isSame = before?.secretId === secret?.id;
  if (isSame && before?.stage === stage) return;
  const after = secret && stage && { secretId: secret.id, stage };
  // Service time can be set back. A secret that has expired then becomes valid again.
  const isBack = isSame && before?.stage === 'EXPIRED';
  if (before && (!isSame || isBack || !after)) await record(tx, account, `NO_LONGER_${before.stage}`);
  await setWarning(tx, clientId, after);
  if (!secret || !stage || isBack) return;
  await record(tx, account, stage);
  await mailOwners(tx, account, stage, secret);
}

/** Ends the warning about an account that is about to be deleted. */
export async function endWarning(tx: Tx, account: ServiceAccount): Promise<void> {
  const before = await warningAbout(tx, account.clientId);
  if (before) await record(tx, account, `NO_LONGER_${before.stage}`);
}

async function record(
  tx: Tx,
  { orgId, clientId }: ServiceAccount,
  what: Stage | `NO_LONGER_${Stage}`,
): Promise<void> {
  await recordEvent(tx, {
    type: `ORG_SERVICE_ACCOUNT_SECRETS_${what}`,
    orgId,
    actor: system,
    details: { targetUsername: clientId },
  });
}

async function mailOwners(
  tx: Tx,
  account: ServiceAccount,
  stage: Stage,
  { masked, expires }: { readonly masked: string; readonly expires: Date },
): Promise<void> {
  const { orgId, clientId } = account;
  const grants = await grantsOn(tx, { kind: 'org', id: orgId });
  const owners = grants.filter(({ role }) => role === 'ORG_OWNER').map(({ principalId }) => principalId);
  const to = (await usersAmong(tx, owners)).map(({ username }) => username);
  const organization = (await findOrganization(tx, orgId))?.name ?? '';
  const hasExpired = stage === 'EXPIRED';
  const notice = expiringSecretNotice({ hasExpired, masked, expires, account, organization });
  await mailNotice(tx, { subjectId: clientId, to, ...notice });
}
