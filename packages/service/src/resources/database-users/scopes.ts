import type { UserDocument } from './rows.ts';

/** Whether a user may log in to a cluster. A user with scopes may log in only to the clusters that the scopes name. */
export function isInScope({ scopes }: Pick<UserDocument, 'scopes'>, clusterName: string): boolean {
  return scopes.length === 0 || scopes.some(({ type, name }) => type === 'CLUSTER' && name === clusterName);
}
