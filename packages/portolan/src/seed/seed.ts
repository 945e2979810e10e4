import { ConfigError } from '@portolan/foundation/command-line';
import { isName, organizationFaults } from '@portolan/service/organizations';
import { fillCluster } from './clusters.ts';
import type { Seed, SeedContent, SeedProject } from './file.ts';
import { admitToProject, makePeople } from './people.ts';
import { type Body, created, done, existing, listed, makeMissing, named, type Seeding } from './requests.ts';

const USUAL_CLUSTER = {
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'US_EAST_1' },
};

/**
 * Creates the missing resources of a seed by API requests, so that the usual checks, events and tasks apply. Resources
 * whose names already exist stay unchanged. Resolves when all clusters are `IDLE` and filled. Throws a `ConfigError`
 * with the position of the entry whose request was rejected.
 */
export async function applySeed(
  { service, file, report }: Pick<Seeding, 'service' | 'file' | 'report'>,
  seed: Seed,
): Promise<void> {
  const { organizations = [], ...first } = seed;
  const { orgId } = service.bootstrap;
  await makeContent({ service, call: service.call, orgId, file, report }, first, '');
  for (const [index, { name, skipDefaultAlertsSettings = false, ...content }] of organizations.entries()) {
    const place = `organizations[${index}]`;
    if (!isName(name))
      throw new ConfigError(`${place}: ${organizationFaults.INVALID_ORG_NAME(name).message}`);
    const own = await service.organization({ name, skipDefaultAlerts: skipDefaultAlertsSettings });
    await makeContent({ service, file, report, ...own }, content, `${place}.`);
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
  const { id } = await makeMissing(seeding, byName, () => call('POST', '/groups', { orgId, ...body }), place);
  const path = `/groups/${id}`;
  await admitToProject(seeding, path, project, place);
  await allowAddresses(seeding, `${path}/accessList`, accessList, `${place}.accessList`);
  for (const [index, user] of databaseUsers.entries()) {
    const { databaseName = 'admin', username } = user as Body & { readonly username: string };
    const own = `${path}/databaseUsers/${databaseName}/${named(username)}`;
    const make = () => call('POST', `${path}/databaseUsers`, { databaseName, ...user });
    await makeMissing(seeding, own, make, `${place}.databaseUsers[${index}]`);
  }
  for (const [index, { data: _, ...cluster }] of clusters.entries()) {
    const own = `${path}/clusters/${named(cluster.name)}`;
    const make = () => call('POST', `${path}/clusters`, { ...USUAL_CLUSTER, ...cluster });
    await makeMissing(seeding, own, make, `${place}.clusters[${index}]`);
  }
  for (const [index, cluster] of clusters.entries())
    await fillCluster(seeding, path, cluster, `${place}.clusters[${index}]`);
}

/** The fields of an entry of an access list that identify it. */
const ADDRESS_FIELDS = ['ipAddress', 'cidrBlock', 'awsSecurityGroup'];

async function allowAddresses(
  { call, report }: Seeding,
  path: string,
  wanted: readonly Body[],
  place: string,
) {
  if (wanted.length === 0) return;
  const known = await listed(call, path, place);
  const isKnown = (entry: Body) =>
    ADDRESS_FIELDS.some((field) => entry[field] != null && known.some((one) => one[field] === entry[field]));
  const missing = wanted.filter((entry) => !isKnown(entry));
  if (missing.length > 0) done(await call('POST', path, missing), place);
  for (const [index, entry] of wanted.entries())
    report((isKnown(entry) ? existing : created)(`${place}[${index}]`));
}
