import { CHECKPOINTS } from '../../../replication/names.ts';
import { NotYet, PermanentFailure, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import { type ClusterModel, clusterById, enforcesAccess } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { dropDatabases } from '../checks/target.ts';
import { SILENCE_MS } from '../links/rules.ts';
import { grantAccess, prepareUser, revokeAccess } from './access.ts';
import {
  addressOf,
  COMPLETE,
  END,
  EXPIRE,
  end,
  ended,
  isExpired,
  type MigrationWork,
  markRunning,
  PREPARE,
  WATCH,
  watchAgain,
} from './changes.ts';
import { migrationById, putMigration } from './rows.ts';
import { hindranceOf, stallOf } from './stalls.ts';
import { isOpen } from './states.ts';

/** The pause before the nodes of a cluster are checked again. */
const WAIT_MS = 200;
/** The pause before a paused cluster is checked again. */
const PAUSED_WAIT_MS = 5_000;
/** The delay before the task checks again whether the destination is clean. */
const CLEANING_WAIT_MS = 1_000;

type Context = TaskContext<Services, MigrationWork>;

async function current({ store, payload }: Context) {
  return store.read(async (tx) => ({
    row: await migrationById(tx, payload.migrationId),
    cluster: await clusterById(tx, payload.clusterId),
  }));
}

/** Waits until the nodes of the cluster enforce the current users and access list. */
async function untilEnforced({ store }: Context, cluster: ClusterModel): Promise<void> {
  if (!(await store.read((tx) => enforcesAccess(tx, cluster))))
    throw new NotYet(WAIT_MS, 'the nodes do not have the database users yet');
}

/** Empties the destination if the request says so, and grants the migration host access. */
export const prepareMigration: TaskKind<MigrationWork, Services> = {
  ...PREPARE,
  steps: [
    {
      name: 'drop',
      async run(context) {
        const { row, cluster } = await current(context);
        if (row?.state !== 'PREPARING' || cluster === undefined) return;
        // Drop checkpoints that an earlier migration may have left.
        await dropDatabases(context.services, cluster, row.spec.drop ? undefined : CHECKPOINTS);
      },
    },
    {
      name: 'let in',
      async run(context) {
        const { row } = await current(context);
        if (row?.state !== 'PREPARING') return;
        const user = await prepareUser(context.services, row);
        await context.store.write(async (tx) => {
          const now = await migrationById(tx, row.id);
          if (now?.state !== 'PREPARING') return;
          const address = await addressOf(tx, now);
          if (address === undefined)
            throw new PermanentFailure(`the migration host ${now.progress.host} is no longer linked`);
          const block = await grantAccess(tx, now, user, address);
          if (block !== undefined) await putMigration(tx, { ...now, progress: { ...now.progress, block } });
        });
      },
    },
    {
      name: 'wait',
      async run(context) {
        const { row, cluster } = await current(context);
        if (row?.state === 'PREPARING' && cluster) await untilEnforced(context, cluster);
      },
      async commit(tx, { payload, services }) {
        const row = await migrationById(tx, payload.migrationId);
        if (row?.state === 'PREPARING') await markRunning(tx, row, services.machine.now());
      },
    },
  ],
  async onFailed(tx, { payload }, _, reason) {
    const row = await migrationById(tx, payload.migrationId);
    if (row) await end(tx, row, 'FAILED', reason);
  },
};

async function finishIfPresent(
  tx: Parameters<typeof ended>[0],
  { migrationId }: MigrationWork,
): Promise<void> {
  const row = await migrationById(tx, migrationId);
  if (row) await ended(tx, row);
}

/**
 * Waits until the nodes of the destination reject the migration's user, and then removes the checkpoints from the
 * destination. If the migration failed or expired, it already has its final state.
 */
export const endMigration: TaskKind<MigrationWork, Services> = {
  ...END,
  steps: [
    {
      // Revoke the access here, too, since earlier versions of the service enqueued this task before they
      // revoked it.
      name: 'show out',
      async commit(tx, { payload }) {
        const row = await migrationById(tx, payload.migrationId);
        if (row) await revokeAccess(tx, row, row.progress.block);
      },
    },
    {
      name: 'clean up',
      async run(context) {
        const { cluster } = await current(context);
        if (cluster === undefined || cluster.state === 'DELETING') return;
        if (cluster.paused) throw new NotYet(PAUSED_WAIT_MS, 'the destination is paused');
        await untilEnforced(context, cluster);
        await dropDatabases(context.services, cluster, CHECKPOINTS);
      },
      commit: (tx, { payload }) => finishIfPresent(tx, payload),
    },
  ],
  // Retry without limit, since the nodes will become reachable again.
  attempts: Number.POSITIVE_INFINITY,
};

/** Completes a migration whose destination cannot be cleaned up, for example because its nodes are unreachable. */
export const completeMigration: TaskKind<MigrationWork, Services> = {
  ...COMPLETE,
  steps: [
    {
      name: 'wait',
      async run(context) {
        const { row } = await current(context);
        const silent = context.services.machine.now() - (row?.progress.told ?? 0);
        if (row?.state === 'ENDING' && silent <= SILENCE_MS)
          throw new NotYet(CLEANING_WAIT_MS, 'the destination is being cleaned up');
      },
      commit: (tx, { payload }) => finishIfPresent(tx, payload),
    },
  ],
};

/** Ends a migration that makes no progress because its source, migration host or destination is unreachable. */
export const watchMigration: TaskKind<MigrationWork, Services> = {
  ...WATCH,
  steps: [
    {
      name: 'look',
      async commit(tx, { payload, services }) {
        const row = await migrationById(tx, payload.migrationId);
        if (row === undefined || !isOpen(row.state) || row.state === 'ENDING') return;
        const problem = stallOf(row, tx.now, services.machine.now());
        if (problem === undefined) await watchAgain(tx, row);
        else await end(tx, row, 'FAILED', problem);
      },
    },
  ],
};

/**
 * Expires a migration that has waited too long for its cutover. A jump of service time can exceed both this limit and
 * the limit for time without progress. The migration then fails instead of expiring, whichever task runs first.
 */
export const expireMigration: TaskKind<MigrationWork, Services> = {
  ...EXPIRE,
  steps: [
    {
      name: 'end',
      async commit(tx, { payload, services }) {
        const row = await migrationById(tx, payload.migrationId);
        // If the migration was restarted, a later task checks whether it has expired.
        if (row === undefined || row.progress.cutover !== undefined || !isExpired(row, tx.now)) return;
        const now = services.machine.now();
        const stall = stallOf(row, tx.now, now);
        await end(tx, row, stall === undefined ? 'EXPIRED' : 'FAILED', stall ?? hindranceOf(row, now));
      },
    },
  ],
};
