import type { ReadTx } from '../../store/index.ts';
import { NotYet, type TaskKind } from '../../tasks/index.ts';
import { type ClusterModel, clustersIn, upgradeVersion } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { type MaintenanceStart, record, reschedule, START, withoutSchedule } from './changes.ts';
import { type Maintenance, maintenanceOf, saveMaintenance } from './rows.ts';

/** Polling interval until the clusters that are being upgraded are IDLE. */
const WAIT_MS = 500;

/** Performs scheduled maintenance: upgrades clusters to the version that is due. */
export const beginMaintenance: TaskKind<MaintenanceStart, Services> = {
  ...START,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const one = await currentMaintenance(tx, payload);
        if (one === undefined || one.started) return;
        await saveMaintenance(tx, { ...one, started: true });
        await record(tx, payload.groupId, 'MAINTENANCE_STARTED');
      },
    },
    {
      name: 'raise versions',
      async commit(tx, { payload }) {
        if ((await currentMaintenance(tx, payload))?.started !== true) return;
        for (const cluster of await clustersIn(tx, payload.groupId)) await upgradeVersion(tx, cluster);
      },
    },
    {
      name: 'wait',
      async run({ store, payload }) {
        const changing = await store.read(async (tx) =>
          (await currentMaintenance(tx, payload))?.started === true
            ? (await clustersIn(tx, payload.groupId)).filter(isBeingUpgraded)
            : [],
        );
        if (changing.length > 0) throw new NotYet(WAIT_MS, 'clusters are being upgraded');
      },
      async commit(tx, { payload }) {
        const one = await currentMaintenance(tx, payload);
        if (one?.started !== true) return;
        await saveMaintenance(tx, withoutSchedule(one));
        await reschedule(tx, payload.groupId, await clustersIn(tx, payload.groupId));
      },
    },
  ],
  // Retry without limit: restores and migrations may block changes of a cluster for hours.
  attempts: Number.POSITIVE_INFINITY,
};

const isBeingUpgraded = ({ state, spec }: ClusterModel) =>
  state === 'UPDATING' && spec.settings.versionReleaseSystem === 'CONTINUOUS';

/** Returns the maintenance to perform; undefined if the maintenance was deferred or cancelled. */
async function currentMaintenance(
  tx: ReadTx,
  { groupId, at }: MaintenanceStart,
): Promise<Maintenance | undefined> {
  const one = await maintenanceOf(tx, groupId);
  return one.scheduled?.toISOString() === at ? one : undefined;
}
