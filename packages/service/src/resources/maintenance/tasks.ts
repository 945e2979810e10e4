import type { ReadTx } from '../../store/index.ts';
import { NotYet, type TaskKind } from '../../tasks/index.ts';
import { type ClusterModel, clustersIn, raiseVersion } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { BEGIN, type Beginning, nothingAhead, reconsider, record } from './changes.ts';
import { type Maintenance, maintenanceOf, saveMaintenance } from './rows.ts';

/** Until the clusters that are changed are IDLE. */
const WAIT_MS = 500;

/** Does what was waiting for its time: raises the versions that are due. */
export const beginMaintenance: TaskKind<Beginning, Services> = {
  ...BEGIN,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const one = await meant(tx, payload);
        if (one === undefined || one.started) return;
        await saveMaintenance(tx, { ...one, started: true });
        await record(tx, payload.groupId, 'MAINTENANCE_STARTED');
      },
    },
    {
      name: 'raise versions',
      async commit(tx, { payload }) {
        if ((await meant(tx, payload))?.started !== true) return;
        for (const cluster of await clustersIn(tx, payload.groupId)) await raiseVersion(tx, cluster);
      },
    },
    {
      name: 'wait',
      async run({ store, payload }) {
        const changing = await store.read(async (tx) =>
          (await meant(tx, payload))?.started === true
            ? (await clustersIn(tx, payload.groupId)).filter(isBeingRaised)
            : [],
        );
        if (changing.length > 0) throw new NotYet(WAIT_MS, 'versions are being raised');
      },
      async commit(tx, { payload }) {
        const one = await meant(tx, payload);
        if (one?.started !== true) return;
        await saveMaintenance(tx, nothingAhead(one));
        await reconsider(tx, payload.groupId, await clustersIn(tx, payload.groupId));
      },
    },
  ],
  // What others do with a cluster may forbid a change for hours: a restore, a migration.
  attempts: Number.POSITIVE_INFINITY,
};

const isBeingRaised = ({ state, spec }: ClusterModel) =>
  state === 'UPDATING' && spec.settings.versionReleaseSystem === 'CONTINUOUS';

/** Nothing where it was put off, or is not needed any more. */
async function meant(tx: ReadTx, { groupId, at }: Beginning): Promise<Maintenance | undefined> {
  const one = await maintenanceOf(tx, groupId);
  return one.scheduled?.toISOString() === at ? one : undefined;
}
