import { addCount, deleteInBatches, type ReadTx, type Tx } from '../../../store/index.ts';
import { every, recurring, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import {
  deleteNotifications,
  notificationsBefore,
  notificationsBeyond,
  projectWithNotifications,
} from '../delivery/rows.ts';
import { closedBefore, closedBeyond, deleteAlerts, projectWithClosed } from '../model/rows.ts';
import { alertCounts } from './rules.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long the service keeps a closed alert, and a notification that it has sent, in days of service time. */
export const KEPT_DAYS = 365;
/** How many closed alerts, and how many notifications, the service keeps for a project. */
export const KEPT_PER_PROJECT = 20_000;

interface Row {
  readonly id: string;
  readonly groupId: string;
}

/** A table whose old rows are deleted. */
interface Aging {
  /** Returns up to `most` rows from before a date. */
  before(tx: ReadTx, date: Date, most: number): Promise<readonly Row[]>;
  /** Returns up to `most` rows of a project, except the newest `kept`. */
  beyond(tx: ReadTx, groupId: string, kept: number, most: number): Promise<readonly Row[]>;
  /** Returns the first project after `groupId` that has rows. */
  nextProject(tx: ReadTx, groupId: string): Promise<string | undefined>;
  remove(tx: Tx, rows: readonly Row[]): Promise<void>;
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

const notifications: Aging = {
  before: notificationsBefore,
  beyond: notificationsBeyond,
  nextProject: projectWithNotifications,
  remove: (tx, rows) => deleteNotifications(tx, idsOf(rows)),
};

const closedAlerts: Aging = {
  before: closedBefore,
  beyond: closedBeyond,
  nextProject: projectWithClosed,
  async remove(tx, rows) {
    // Another instance may have deleted the rows, or their project, after this instance read them.
    const projects = await deleteAlerts(tx, idsOf(rows));
    for (const [groupId, own] of Map.groupBy(projects, (id) => id))
      await addCount(tx, alertCounts.CLOSED, groupId, -own.length);
  },
};

/**
 * Deletes closed alerts and notifications that are too old. If a project has too many of them, also deletes its oldest
 * ones.
 */
export const makeDeletion = (keptPerProject = KEPT_PER_PROJECT): TaskKind<Nothing, Services> => ({
  kind: 'alerts.forget',
  steps: [
    {
      name: 'forget',
      async run({ services, store, signal }) {
        const date = new Date(services.clock.now().getTime() - KEPT_DAYS * DAY_MS);
        for (const { before, beyond, nextProject, remove } of [notifications, closedAlerts]) {
          await deleteInBatches(store, signal, (tx, most) => before(tx, date, most), remove);
          let groupId: string | undefined = '';
          for (;;) {
            signal.throwIfAborted();
            const last: string = groupId;
            groupId = await store.read((tx) => nextProject(tx, last));
            if (groupId === undefined) break;
            const own = groupId;
            const find = (tx: ReadTx, most: number) => beyond(tx, own, keptPerProject, most);
            await deleteInBatches(store, signal, find, remove);
          }
        }
      },
    },
  ],
});

type Nothing = Readonly<Record<string, never>>;

export const deleteOld = makeDeletion();

export const deleteHourly = recurring({
  name: 'alerts.forget',
  kind: deleteOld,
  payload: {},
  next: every(HOUR_MS),
});
