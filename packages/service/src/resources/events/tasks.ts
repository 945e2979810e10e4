import { deleteOldEvents, ownersOfEvents } from '../../events/index.ts';
import { every, recurring, type TaskKind } from '../../tasks/index.ts';
import type { Services } from '../services.ts';

const DAY_MS = 86_400_000;
/**
 * Number of events that are deleted in one transaction. It is small enough to delay other requests by a few
 * milliseconds at most.
 */
const BATCH = 500;

/** Deletes events that are older than the retention that the operator has set. */
export const deleteExpired: TaskKind<Readonly<Record<string, never>>, Services> = {
  kind: 'events.forget',
  steps: [
    {
      name: 'forget',
      async run({ services, store, signal }) {
        if (services.eventDays === undefined) return;
        const before = new Date(services.clock.now().getTime() - services.eventDays * DAY_MS);
        for (const orgId of await store.read((tx) => ownersOfEvents(tx))) {
          let gone = BATCH;
          while (gone === BATCH && !signal.aborted)
            gone = await store.write((tx) => deleteOldEvents(tx, orgId, before, BATCH));
        }
      },
    },
  ],
};

export const daily = recurring({
  name: 'events.forget',
  kind: deleteExpired,
  payload: {},
  next: every(DAY_MS),
});
