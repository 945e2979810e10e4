import { NotYet, PermanentFailure, type TaskContext, type TaskKind } from '../../../tasks/index.ts';
import { type ClusterModel, clusterById, enforcesAccess } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { dropDatabases } from '../checks/target.ts';
import { CHECKPOINTS } from '../protocol.ts';
import { addressOf, END, EXPIRE, end, ended, type MigrationWork, PREPARE, started } from './changes.ts';
import { letIn, makeGuest, showOut } from './guest.ts';
import { migrationById, putMigration } from './rows.ts';

/** Until the nodes of a cluster know who may come in, or can be asked. */
const WAIT_MS = 200;
/** Until somebody resumes it. */
const AWAY_MS = 5_000;

type Context = TaskContext<Services, MigrationWork>;

async function current({ store, payload }: Context) {
  return store.read(async (tx) => ({
    row: await migrationById(tx, payload.migrationId),
    cluster: await clusterById(tx, payload.clusterId),
  }));
}

/** Waits until the nodes of the cluster let in whom they should, and nobody else. */
async function untilEnforced({ store }: Context, cluster: ClusterModel): Promise<void> {
  if (!(await store.read((tx) => enforcesAccess(tx, cluster))))
    throw new NotYet(WAIT_MS, 'the nodes do not know the users yet');
}

/** Empties the destination where that is wished, and lets the migration host in. */
export const prepareMigration: TaskKind<MigrationWork, Services> = {
  ...PREPARE,
  steps: [
    {
      name: 'drop',
      async run(context) {
        const { row, cluster } = await current(context);
        if (row?.state !== 'PREPARING' || cluster === undefined) return;
        // Left behind by a migration that could not take it away.
        await dropDatabases(context.services, cluster, row.wish.drop ? undefined : CHECKPOINTS);
      },
    },
    {
      name: 'let in',
      async run(context) {
        const { row } = await current(context);
        if (row?.state !== 'PREPARING') return;
        const guest = await makeGuest(context.services, row);
        await context.store.write(async (tx) => {
          const now = await migrationById(tx, row.id);
          if (now?.state !== 'PREPARING') return;
          const address = await addressOf(tx, now);
          if (address === undefined)
            throw new PermanentFailure(`the migration host ${now.progress.host} is gone`);
          const block = await letIn(tx, now, guest, address);
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
      async commit(tx, { payload }) {
        const row = await migrationById(tx, payload.migrationId);
        if (row?.state === 'PREPARING') await started(tx, row);
      },
    },
  ],
  async onFailed(tx, { payload }, _, reason) {
    const row = await migrationById(tx, payload.migrationId);
    if (row) await end(tx, row, 'FAILED', reason);
  },
};

async function endedNow(tx: Parameters<typeof ended>[0], { migrationId }: MigrationWork): Promise<void> {
  const row = await migrationById(tx, migrationId);
  if (row) await ended(tx, row);
}

/** Takes away what the migration has put into the destination for itself: once nobody can put it there again. */
export const endMigration: TaskKind<MigrationWork, Services> = {
  ...END,
  steps: [
    {
      name: 'show out',
      async commit(tx, { payload }) {
        const row = await migrationById(tx, payload.migrationId);
        if (row) await showOut(tx, row, row.progress.block);
      },
    },
    {
      name: 'clean up',
      async run(context) {
        const { cluster } = await current(context);
        if (cluster === undefined || cluster.state === 'DELETING') return;
        if (cluster.paused) throw new NotYet(AWAY_MS, 'the destination is paused');
        await untilEnforced(context, cluster);
        try {
          await dropDatabases(context.services, cluster, CHECKPOINTS);
        } catch (error) {
          // Nobody is let in any more: what is left behind goes when the nodes are back, and keeps nobody waiting.
          await context.store.write((tx) => endedNow(tx, context.payload));
          throw error;
        }
      },
      commit: (tx, { payload }) => endedNow(tx, payload),
    },
  ],
  // What keeps a node from being asked goes away some day.
  attempts: Number.POSITIVE_INFINITY,
};

/** Ends one that nobody has cut over. */
export const expireMigration: TaskKind<MigrationWork, Services> = {
  ...EXPIRE,
  steps: [
    {
      name: 'end',
      async commit(tx, { payload }) {
        const row = await migrationById(tx, payload.migrationId);
        if (row?.progress.cutover === undefined && row?.progress.readySince !== undefined)
          await end(tx, row, 'EXPIRED');
      },
    },
  ],
};
