import type { UserDocument } from './rows.ts';

/** Whether a user may log in to a cluster: scopes restrict a user to the named clusters. */
export function isInScope({ scopes }: Pick<UserDocument, 'scopes'>, clusterName: string): boolean {
  return scopes.length === 0 || scopes.some(({ type, name }) => type === 'CLUSTER' && name === clusterName);
}
