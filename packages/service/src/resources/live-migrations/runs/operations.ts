import type { ReadTx } from '../../../store/index.ts';
import { extension, operation, type Services } from '../../services.ts';
import { requestCheck } from '../checks/changes.ts';
import { agentsOf } from '../links/rows.ts';
import { isConnected } from '../links/rules.ts';
import { acceptRequest } from '../request.ts';
import { requireFreeDestination, requireIn } from '../rules.ts';
import {
  FormerMigrationRequest,
  ListedMigration,
  LiveMigration,
  MigrationRequest,
  readFormer,
} from '../schema.ts';
import { addMigration, cancelMigration, requestCutover } from './changes.ts';
import { type MigrationRow, migrationById, pageOfMigrations } from './rows.ts';
import { states } from './states.ts';

/** Presents a migration with its current lag, and with whether it is ready for the cutover. */
async function presentMigration(tx: ReadTx, { machine }: Services, row: MigrationRow) {
  const { host, lagTimeSeconds, told = 0, cutover, problem } = row.progress;
  const agent = (await agentsOf(tx, row.orgId)).find((one) => one.host === host);
  const silent = agent === undefined || !isConnected(agent, machine.now());
  const replicates = row.state === 'RUNNING' && cutover === undefined && lagTimeSeconds !== undefined;
  // While the migration host is disconnected, the lag grows with time.
  const since = silent ? Math.floor((machine.now() - told) / 1000) : 0;
  return {
    _id: row.id,
    errorMessage: problem,
    lagTimeSeconds: replicates ? lagTimeSeconds + since : null,
    migrationHosts: host === '' ? [] : [host],
    readyForCutover: replicates && row.progress.ready === true && !silent,
    status: states[row.state],
  };
}

export const createMigration = operation({
  id: 'createPushMigration',
  tag: 'Cloud Migration Service',
  method: 'POST',
  path: '/groups/{groupId}/liveMigrations',
  summary:
    'Starts a live migration, which copies a source deployment to a cluster and applies later changes until the cutover.',
  access: 'Organization Owner',
  versions: {
    '2023-01-01': { body: FormerMigrationRequest, read: readFormer },
    '2024-05-30': 'same',
    '2025-03-12': 'same',
  },
  body: MigrationRequest,
  reply: LiveMigration,
  status: 201,
  handler(call) {
    const { groupId } = call.params;
    const accepted = acceptRequest(call);
    return call.write(async (tx) => {
      const at = { groupId, clusterName: call.body.destination.clusterName };
      const cluster = await requireFreeDestination(tx, at);
      const row = await addMigration(tx, cluster, accepted, call.services.machine.now());
      await requestCheck(tx, cluster, { ...accepted, id: tx.id(), migrationId: accepted.id });
      return presentMigration(tx, call.services, row);
    });
  },
});

export const listMigrations = extension({
  id: 'listPushMigrations',
  tag: 'Cloud Migration Service',
  method: 'GET',
  path: '/groups/{groupId}/liveMigrations',
  summary: 'Lists the live migrations to clusters of a project, newest first.',
  access: 'Project Read Only',
  reply: ListedMigration,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { rows, next } = await pageOfMigrations(tx, call.params.groupId, call.page);
      const results = await Promise.all(
        rows.map(async (row) => ({
          ...(await presentMigration(tx, call.services, row)),
          destinationClusterName: row.clusterName,
          sourceClusterName: row.spec.sourceName,
        })),
      );
      return { results, next };
    }),
});

export const getMigration = operation({
  id: 'getPushMigration',
  tag: 'Cloud Migration Service',
  method: 'GET',
  path: '/groups/{groupId}/liveMigrations/{liveMigrationId}',
  summary: 'Returns one live migration.',
  access: 'Organization Member',
  reply: LiveMigration,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, liveMigrationId } = call.params;
      const row = await migrationById(tx, liveMigrationId);
      return presentMigration(
        tx,
        call.services,
        requireIn(row, groupId, `the live migration ${liveMigrationId}`),
      );
    }),
});

export const cutover = operation({
  id: 'cutoverMigration',
  tag: 'Cloud Migration Service',
  method: 'PUT',
  path: '/groups/{groupId}/liveMigrations/{liveMigrationId}/cutover',
  summary:
    'Requests the cutover. When the destination has all changes that the source has at this time, the live migration is complete.',
  access: 'Organization Owner',
  status: 202,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, liveMigrationId } = call.params;
      const found = await migrationById(tx, liveMigrationId);
      const row = requireIn(found, groupId, `the live migration ${liveMigrationId}`);
      const { readyForCutover } = await presentMigration(tx, call.services, row);
      await requestCutover(tx, row, readyForCutover, call.actor);
    }),
});

export const cancel = extension({
  id: 'cancelMigration',
  tag: 'Cloud Migration Service',
  method: 'DELETE',
  path: '/groups/{groupId}/liveMigrations/{liveMigrationId}',
  summary: 'Cancels a live migration. Its status becomes FAILED, and the destination keeps the copied data.',
  access: 'Organization Owner',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, liveMigrationId } = call.params;
      const found = await migrationById(tx, liveMigrationId);
      const row = requireIn(found, groupId, `the live migration ${liveMigrationId}`);
      await cancelMigration(tx, row, call.actor);
    }),
});
