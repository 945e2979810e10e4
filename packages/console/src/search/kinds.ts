import { type Cluster, listQuery, operatorListQuery } from '../api/resources.ts';
import type { May } from '../api/rights.ts';
import { titleOf } from '../pages/alerts/kinds.ts';
import { snapshotsPath } from '../pages/backups/snapshots-path.ts';
import { dataAddress } from '../pages/data/data-address.ts';
import { clusterPath } from '../parts/cluster-choice.tsx';
import type { Entry } from './entries.ts';
import { namespacesQuery } from './namespaces.ts';
import type { SearchPlace } from './place.ts';

/** A list of the API whose entries the search finds by name. */
interface Source {
  readonly query: ListQuery<unknown>;
  readonly entriesOf: (rows: readonly unknown[]) => readonly Entry[];
}

interface ListQuery<Row> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: () => Promise<readonly Row[]>;
}

/** Resources of one kind, the page that lists all of them, and the lists that contain them. */
export interface Kind {
  readonly title: string;
  readonly to: string;
  readonly sources: readonly Source[];
}

/** Returns a source of entries. `entryOf` returns undefined for a row without a name. */
function source<Row>(query: ListQuery<Row>, entryOf: (row: Row) => Entry | undefined): Source {
  const entriesOf = (rows: readonly unknown[]) =>
    (rows as readonly Row[]).map(entryOf).filter((entry) => entry !== undefined);
  return { query, entriesOf };
}

/** Returns the kind of the resources in one list. */
function kind<Row>(
  title: string,
  to: string,
  query: ListQuery<Row>,
  entryOf: (row: Row) => Entry | undefined,
): Kind {
  return { title, to, sources: [source(query, entryOf)] };
}

/** The roles that may list search indexes. */
const INDEX_READERS = ['GROUP_DATA_ACCESS_READ_WRITE', 'GROUP_SEARCH_INDEX_EDITOR'];

/** The role that may read databases. */
const DATA_READER = 'GROUP_DATA_ACCESS_READ_ONLY';

/** The number of clusters whose snapshots, search indexes, databases and collections the search reads. */
const MAX_CLUSTERS = 8;

/**
 * Returns the resources that the search finds in addition to pages. The search reads them from the same paths as the
 * pages, so that both share one cached response.
 */
export function kindsIn(place: SearchPlace, may: May, isOperator: boolean): readonly Kind[] {
  const { organization, project, clusters } = place;
  return [
    ...(organization === undefined ? [] : inOrganization(organization.id, organization.name)),
    ...(project === undefined ? [] : inProject(project.id, project.name)),
    ...(project === undefined ? [] : inClusters(project.id, clusters.slice(0, MAX_CLUSTERS), may)),
    ...(isOperator ? [states, operations] : []),
  ];
}

function inOrganization(orgId: string, organization: string): readonly Kind[] {
  const path = `/orgs/${orgId}` as const;
  const address = `/organizations/${orgId}/access`;
  return [
    kind('People', `${address}/people`, listQuery(`${path}/users?orgMembershipStatus=ACTIVE`), (person) => ({
      title: person.username,
      detail: ['person', person.firstName, person.lastName, organization].filter(Boolean).join(' '),
      to: `${address}/people`,
    })),
    kind('Invitations', `${address}/invitations`, listQuery(`${path}/invites`), ({ username }) => ({
      title: username,
      detail: `invitation, ${organization}`,
      to: `${address}/invitations`,
    })),
    kind('Teams', `${address}/teams`, listQuery(`${path}/teams`), ({ id, name }) => ({
      title: name,
      detail: `team, ${organization}`,
      to: `${address}/teams/${id}`,
    })),
    kind('API keys', `${address}/keys`, listQuery(`${path}/apiKeys`), ({ id, desc, publicKey }) => ({
      title: desc,
      detail: `API key ${publicKey}, ${organization}`,
      to: `${address}/keys/${id}`,
    })),
    kind(
      'Service accounts',
      `${address}/accounts`,
      listQuery(`${path}/serviceAccounts`),
      ({ clientId, name }) => ({
        title: name,
        detail: `service account, ${organization}`,
        to: `${address}/accounts/${clientId}`,
      }),
    ),
  ];
}

function inProject(groupId: string, project: string): readonly Kind[] {
  const path = `/groups/${groupId}` as const;
  const address = `/projects/${groupId}`;
  const access = `${address}/access`;
  const configurations = `${address}/alerts/configurations`;
  const integrations = `${address}/alerts/integrations`;
  return [
    kind('Database users', access, listQuery(`${path}/databaseUsers`), ({ username, databaseName }) => ({
      title: username,
      detail: `database user of ${databaseName}, ${project}`,
      to: access,
    })),
    kind('Custom roles', access, listQuery(`${path}/customDBRoles/roles`), ({ roleName }) => ({
      title: roleName,
      detail: `custom role, ${project}`,
      to: access,
    })),
    kind(
      'Access list',
      access,
      listQuery(`${path}/accessList`),
      ({ ipAddress, cidrBlock = '', comment }) => ({
        title: ipAddress ?? cidrBlock,
        detail: ['access list', comment, project].filter(Boolean).join(', '),
        to: access,
      }),
    ),
    kind(
      'Alert configurations',
      configurations,
      listQuery(`${path}/alertConfigs`),
      ({ id, eventTypeName }) => ({
        title: eventTypeName,
        detail: `alert configuration, ${project}`,
        to: `${configurations}/${id}`,
      }),
    ),
    kind('Integrations', integrations, listQuery(`${path}/integrations`), ({ type }) => ({
      title: titleOf(type),
      detail: `integration, ${project}`,
      to: integrations,
    })),
  ];
}

function inClusters(groupId: string, clusters: readonly Cluster[], may: May): readonly Kind[] {
  const address = `/projects/${groupId}`;
  return [
    {
      title: 'Snapshots',
      to: `${address}/backups`,
      sources: clusters.map((cluster) => snapshotsOf(groupId, cluster)),
    },
    {
      title: 'Search indexes',
      to: `${address}/data`,
      sources: INDEX_READERS.some(may) ? clusters.map(({ name }) => searchIndexesOf(groupId, name)) : [],
    },
    {
      title: 'Databases and collections',
      to: `${address}/data`,
      sources: may(DATA_READER)
        ? clusters.filter(isRunning).map(({ name }) => namespacesOf(groupId, name))
        : [],
    },
  ];
}

function snapshotsOf(groupId: string, cluster: Cluster): Source {
  const to = `/projects/${groupId}/backups/${encodeURIComponent(cluster.name)}`;
  const path = snapshotsPath(clusterPath(groupId, cluster.name), cluster);
  return source(listQuery(path), ({ description, createdAt = '' }) =>
    description
      ? { title: description, detail: `snapshot of ${cluster.name} ${createdAt}`.trim(), to }
      : undefined,
  );
}

function searchIndexesOf(groupId: string, cluster: string): Source {
  return source(
    listQuery(`${clusterPath(groupId, cluster)}/search/indexes`),
    ({ name, database, collectionName }) => ({
      title: name,
      detail: `search index of ${database}.${collectionName}, ${cluster}`,
      to: dataAddress(groupId, cluster, database, collectionName, 'search'),
    }),
  );
}

/** Whether the databases of a cluster can be read. */
const isRunning = ({ paused, stateName }: Cluster): boolean =>
  !paused && stateName !== 'CREATING' && stateName !== 'DELETING';

function namespacesOf(groupId: string, cluster: string): Source {
  return source(namespacesQuery(clusterPath(groupId, cluster)), ({ database, collection }) =>
    collection === undefined
      ? { title: database, detail: `database, ${cluster}`, to: dataAddress(groupId, cluster, database) }
      : {
          title: collection,
          detail: `collection of ${database}, ${cluster}`,
          to: dataAddress(groupId, cluster, database, collection),
        },
  );
}

/** The saved states of the whole service. */
const states = kind('Saved states', '/laboratory/states', operatorListQuery('/states'), ({ name }) => ({
  title: name,
  detail: 'saved state, operator',
  to: '/laboratory/states',
}));

/** The operations of the latest requests. */
const operations = kind(
  'Operations of requests',
  '/requests',
  operatorListQuery('/requests?itemsPerPage=500&pathContains='),
  ({ operation }) => ({
    title: operation,
    detail: 'operation of the latest requests, operator',
    to: `/requests/${encodeURIComponent(operation)}`,
  }),
);
