import { allowAccess, newUser, SAILOR } from './drivers.ts';
import type { Setup } from './setups.ts';
import { idle, newCluster, newProject } from './stage.ts';

/** A cluster of another service, which the test adopts as a deployment. The user in `uri` may monitor and read it. */
export async function newOrigin(other: Setup) {
  const project = await newProject(other);
  const path = await newCluster(other, project, 'origin');
  const roles = ['clusterMonitor', 'readAnyDatabase'].map((roleName) => ({
    roleName,
    databaseName: 'admin',
  }));
  await newUser(other, project, 'keeper', { roles });
  await allowAccess(other, project, path);
  const { connectionStrings } = await idle(other.owner, path);
  const login = `keeper:${encodeURIComponent(SAILOR.password)}`;
  const uri = (connectionStrings.standard ?? '').replace('mongodb://', `mongodb://${login}@`);
  return { path, uri, connectionStrings };
}
