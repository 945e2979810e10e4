import { subscribe } from '../../../store/index.ts';
import { providerRevoked } from '../../federation/index.ts';
import { deleteSessionsWith } from '../rows.ts';
import { deleteIdentitiesAt } from './rows.ts';

/** Ends the sessions that began with an identity provider when it is deleted, and when its keys are revoked. */
export const endRevokedSessions = subscribe(providerRevoked, async (tx, { providerId, isDeleted }) => {
  await deleteSessionsWith(tx, providerId);
  if (isDeleted) await deleteIdentitiesAt(tx, providerId);
});
