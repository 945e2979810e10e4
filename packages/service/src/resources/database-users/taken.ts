import type { Services } from '../services.ts';
import { userFaults } from './faults.ts';
import type { UserRow } from './rows.ts';
import { isInScope } from './scopes.ts';
import { nameInClusters } from './verifiers.ts';

/**
 * Throws if the servers of a cluster have a user with this name that the service has not created. Skips servers that do
 * not reply. For these, the problem is found when the user is applied.
 */
export async function checkNotTaken(
  { engines }: Pick<Services, 'engines'>,
  user: Pick<UserRow, 'databaseName' | 'document' | 'groupId' | 'username'>,
): Promise<void> {
  const { groupId, databaseName: database, username, document } = user;
  const account = { kind: 'USER', database, name: nameInClusters(user) } as const;
  const cluster = await engines.takenIn(groupId, account, (name) => isInScope(document, name));
  if (cluster !== undefined) throw userFaults.USERNAME_TAKEN_ON_SERVERS(username, cluster);
}
