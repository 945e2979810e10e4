import assert from 'node:assert/strict';
import { ID_PATTERN } from '@portolan/foundation/ids';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openClusters } from '../../clusters/testing.ts';
import { addDefaults } from './defaults.ts';
import { configuredAmong, pageOfConfigurations } from './rows.ts';

onEachDatabase('each default configuration of a project has its own notification', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  await store.write((tx) => addDefaults(tx, groupId));
  const page = { itemsPerPage: 100, pageNum: 1 };
  const { rows } = await store.read((tx) => pageOfConfigurations(tx, groupId, page));
  const notifiers = rows.flatMap(({ document }) =>
    document.notifications.map(({ notifierId }) => notifierId),
  );
  assert.equal(rows.length, 11);
  assert.equal(new Set([...notifiers, ...rows.map(({ id }) => id)]).size, 22);
  for (const id of notifiers) assert.match(id, new RegExp(ID_PATTERN));
  const [first] = rows;
  assert.deepEqual(first?.document, {
    matchers: [],
    notifications: [
      {
        typeName: 'GROUP',
        notifierId: notifiers[0],
        delayMin: 0,
        intervalMin: 60,
        emailEnabled: true,
        smsEnabled: false,
        roles: ['GROUP_OWNER'],
      },
    ],
    threshold: { operator: 'LESS_THAN', threshold: 1, units: 'HOURS' },
  });
});

onEachDatabase('projects are found by the event types of their configurations', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  await store.write((tx) => addDefaults(tx, groupId));
  const among = (groupIds: readonly string[], ...types: string[]) =>
    store.read((tx) => configuredAmong(tx, groupIds, types));
  assert.deepEqual(await among([groupId, 'other'], 'NO_PRIMARY', 'JOINED_GROUP'), [groupId]);
  assert.deepEqual(await among([groupId], 'CPS_SNAPSHOT_BEHIND'), []);
  assert.deepEqual(await among(['other'], 'NO_PRIMARY'), []);
  assert.deepEqual(await among([], 'NO_PRIMARY'), []);
});
