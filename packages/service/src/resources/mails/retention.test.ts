import assert from 'node:assert/strict';
import { serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import type { Repetition } from '@portolan/foundation/repeat';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { BATCH, type Store } from '../../store/index.ts';
import { openClusters } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { family } from './index.ts';
import { insertMail, pageOfMails } from './rows.ts';

const DAY_MS = 86_400_000;

onEachDatabase('old mails are deleted in batches', async (t, database) => {
  const machine = testClock(Date.UTC(2026, 0, 1));
  const { store } = await openClusters(t, database, [], { clock: serviceClock(machine), machine });
  const add = (subject: string, count: number) =>
    store.write(async (tx) => {
      const mail = { kind: 'notice', subjectId: 's', recipient: 'r@example.com', outcome: 'KEPT' } as const;
      for (let i = 0; i < count; i++)
        await insertMail(tx, { ...mail, id: tx.id(), subject, created: machine.now() });
    });
  await add('old', 2 * BATCH + 1);
  machine.advance(31 * DAY_MS);
  await add('new', 1);
  let writes = 0;
  const counted: Pick<Store, 'read' | 'write'> = {
    read: (work) => store.read(work),
    write(work) {
      writes++;
      return store.write(work);
    },
  };
  const [start] = family.background ?? [];
  const cleaning = start?.({
    store: counted,
    machine,
    log: silentLog(),
  } as unknown as Services) as Repetition;
  cleaning.wake();
  await cleaning.idle();
  await cleaning.stop();
  const { rows } = await store.read((tx) => pageOfMails(tx, { pageNum: 1, itemsPerPage: 500 }));
  assert.deepEqual(
    rows.map(({ subject }) => subject),
    ['new'],
  );
  assert.equal(writes, 3);
});
