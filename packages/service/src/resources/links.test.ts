import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entityRule } from '../api/entity.ts';
import { asJsonSchema } from '../api/schema/json-schema.ts';
import { shapeIn, versionsOf } from '../api/shapes.ts';
import { loadFamilies } from './load.ts';

const families = await loadFamilies();
const operations = families.flatMap((family) => family.operations);

/**
 * The operations that return documents without a URL of their own, and therefore without links. All other documents
 * have links.
 */
const withoutAddress = [
  // Lists inside a document that has no other fields.
  'listAccessLogsByClusterName',
  'listAccessLogsByHostname',
  'listClusterSuggestedIndexes',
  'listDropIndexes',
  'listSchemaAdvice',
  'listSlowQueries',
  'listSlowQueryNamespaces',
  'listSuggestedIndexes',
  // Entries of a catalogue, which is the same for all projects.
  'listAlertEventTypes',
  // Deletions and actions, which return an empty document.
  'createRollingIndex',
  'deleteCluster',
  'deletePrivateEndpoint',
  'deletePrivateEndpointService',
  'deleteServerlessInstance',
  'testFailover',
  // Documents that are shown only once, or that are part of another entity.
  'createLinkToken',
  'createOrganization',
  'createProjectServiceAccountSecret',
  'createServiceAccountSecret',
  'listSourceProjects',
  'runDatabaseCommand',
];

test('every document of the contract is an entity, which links to itself', () => {
  const found = operations
    .filter(({ surface }) => surface !== 'operator')
    .filter((operation) =>
      versionsOf(operation).some((version) => {
        const { reply } = shapeIn(operation, version) ?? {};
        if (reply === undefined || entityRule(reply) !== undefined) return false;
        const { type } = asJsonSchema(reply);
        return type === undefined || type === 'object';
      }),
    );
  assert.deepEqual(found.map(({ id }) => id).sort(), withoutAddress.toSorted());
});

/** Relations of each entity (docs/contract/access.md 5). */
const relations: Readonly<Record<string, readonly string[]>> = {
  alert: ['alertConfig', 'alertConfigs'],
  alertConfiguration: ['alerts'],
  cluster: ['restoreJobs', 'snapshots'],
  flexRestoreJob: ['cluster', 'group', 'snapshot'],
  flexSnapshot: ['cluster'],
  organization: ['groups', 'teams', 'users'],
  process: ['group'],
  project: ['accessList', 'clusters', 'containers', 'databaseUsers', 'processes'],
  replicaSetSnapshot: ['cluster'],
  restoreJob: ['cluster', 'group', 'snapshot'],
  root: ['apiKeys'],
  serverlessRestoreJob: ['cluster', 'group', 'snapshot'],
  serverlessSnapshot: ['cluster'],
  shardedClusterSnapshot: ['cluster'],
  snapshot: ['cluster'],
};

test('entities have the links that the contract names', () => {
  const linked = operations.flatMap(({ reachedFrom = {} }) =>
    Object.entries(reachedFrom).map(([entity, relation]) => `${entity} ${relation}`),
  );
  const expected = Object.entries(relations).flatMap(([entity, names]) =>
    names.map((name) => `${entity} ${name}`),
  );
  assert.deepEqual(
    expected.filter((relation) => !linked.includes(relation)),
    [],
  );
});
