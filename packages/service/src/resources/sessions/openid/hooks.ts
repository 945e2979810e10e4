import { subscribe } from '../../../store/index.ts';
import { providerRevoked } from '../../federation/index.ts';
import { deleteSessionsWith } from '../rows.ts';
import { deleteIdentitiesAt } from './rows.ts';

/**
 * Ends the sessions that began with an identity provider when it is deleted, when its keys are revoked, and when it
 * identifies people by other settings.
 */
export const endRevokedSessions = subscribe(providerRevoked, async (tx, { providerId, forgetsSubjects }) => {
  await deleteSessionsWith(tx, providerId);
  if (forgetsSubjects) await deleteIdentitiesAt(tx, providerId);
});
