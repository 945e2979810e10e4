import { allowAccess, newUser, SAILOR } from './drivers.ts';
import { until } from './expect.ts';
import type { Reply } from './http.ts';
import type { Setup } from './setups.ts';
import { idle, newCluster, newProject } from './stage.ts';

export const DEPLOYMENTS = '/operator/v1/deployments';

/**
 * Requests the adoption of a deployment. Repeats the request if the servers respond too late: the service waits five
 * seconds for a server, and on a busy machine even a healthy server can take longer.
 */
export function adopt({ operator }: Setup, body: object): Promise<Reply> {
  return until(
    'a timely response of the servers',
    () => operator.post(DEPLOYMENTS, body),
    ({ status, text }) => status !== 400 || !LATE.test(text),
  );
}

/** Matches the driver's messages about servers that have not responded in time. */
export const LATE = /timed out/i;

/** The roles of a user who may monitor and read a cluster. */
const OBSERVER = ['clusterMonitor', 'readAnyDatabase'];

/**
 * Creates a cluster of another service, which the test adopts as a deployment. The user in `uri` may monitor and read it,
 * unless `roles` says otherwise. `change` changes the body of the request that creates the cluster.
 */
export async function newOrigin(other: Setup, { roles = OBSERVER, change = {} } = {}) {
  const project = await newProject(other);
  const path = await newCluster(other, project, 'origin', change);
  const granted = roles.map((roleName) => ({ roleName, databaseName: 'admin' }));
  await newUser(other, project, 'keeper', { roles: granted });
  await allowAccess(other, project, path);
  const { connectionStrings } = await idle(other.owner, path);
  const login = `keeper:${encodeURIComponent(SAILOR.password)}`;
  const uri = (connectionStrings.standard ?? '').replace('mongodb://', `mongodb://${login}@`);
  return { path, uri, connectionStrings };
}
