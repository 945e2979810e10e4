import { ConfigError } from '@portolan/foundation/command-line';
import { isName, organizationFaults } from '@portolan/service/organizations';
import type { Service } from '@portolan/service/service';
import { fillCluster } from './clusters.ts';
import type { Seed, SeedContent, SeedProject } from './file.ts';
import { admitToProject, makePeople } from './people.ts';
import { type Body, done, makeMissing, named, type Seeding } from './requests.ts';

const USUAL_CLUSTER = {
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
};

/**
 * Creates the missing resources of a seed by API requests, so that the usual checks, events and tasks apply. Resources
 * whose names already exist stay unchanged. Resolves when all clusters are `IDLE` and filled. Throws a `ConfigError`
 * with the position of the entry whose request was rejected.
 */
export async function applySeed(service: Service, seed: Seed, file?: string): Promise<void> {
  const { organizations = [], ...first } = seed;
  const { orgId } = service.bootstrap;
  await makeContent({ service, call: service.call, orgId, file }, first, '');
  for (const [index, { name, skipDefaultAlertsSettings = false, ...content }] of organizations.entries()) {
    const place = `organizations[${index}]`;
    if (!isName(name))
      throw new ConfigError(`${place}: ${organizationFaults.INVALID_ORG_NAME(name).message}`);
    const own = await service.organization({ name, skipDefaultAlerts: skipDefaultAlertsSettings });
    await makeContent({ service, file, ...own }, content, `${place}.`);
  }
}

async function makeContent(seeding: Seeding, content: SeedContent, place: string): Promise<void> {
  await makePeople(seeding, content, place);
  for (const [index, project] of (content.projects ?? []).entries())
    await makeProject(seeding, project, `${place}projects[${index}]`);
}

async function makeProject(seeding: Seeding, project: SeedProject, place: string): Promise<void> {
  const { call, orgId } = seeding;
  const { accessList = [], databaseUsers = [], clusters = [], users: _, teams: __, ...body } = project;
  const byName = `/groups/byName/${named(project.name)}`;
  const { id } = await makeMissing(call, byName, () => call('POST', '/groups', { orgId, ...body }), place);
  const path = `/groups/${id}`;
  await admitToProject(seeding, path, project, place);
  if (accessList.length > 0)
    done(await call('POST', `${path}/accessList`, accessList), `${place}.accessList`);
  for (const [index, user] of databaseUsers.entries()) {
    const { databaseName = 'admin', username } = user as Body & { readonly username: string };
    const own = `${path}/databaseUsers/${databaseName}/${named(username)}`;
    const make = () => call('POST', `${path}/databaseUsers`, { databaseName, ...user });
    await makeMissing(call, own, make, `${place}.databaseUsers[${index}]`);
  }
  for (const [index, { data: _, ...cluster }] of clusters.entries()) {
    const own = `${path}/clusters/${named(cluster.name)}`;
    const make = () => call('POST', `${path}/clusters`, { ...USUAL_CLUSTER, ...cluster });
    await makeMissing(call, own, make, `${place}.clusters[${index}]`);
  }
  for (const [index, cluster] of clusters.entries())
    await fillCluster(seeding, path, cluster, `${place}.clusters[${index}]`);
}
