import { type Actor, type EventTypes, recordEvent } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { UserRow } from '../../accounts/index.ts';
import { personOf } from '../person.ts';

export const codeEvents = {
  USER_ONE_TIME_CODES_TURNED_ON: 'User turned on one-time codes',
  USER_ONE_TIME_CODES_TURNED_OFF: 'One-time codes of the user were turned off',
} satisfies EventTypes;

/** Records an event about a person in each organization where the person has a role. */
export async function recordCodes(
  tx: Tx,
  type: keyof typeof codeEvents,
  { id, username }: Pick<UserRow, 'id' | 'username'>,
  actor: Actor,
): Promise<void> {
  const grants = (await personOf(tx, id))?.grants ?? [];
  const orgIds = new Set(grants.map((grant) => (grant.scope === 'org' ? grant.id : grant.orgId)));
  for (const orgId of orgIds)
    if (orgId !== undefined)
      await recordEvent(tx, { type, orgId, actor, details: { targetUsername: username } });
}
