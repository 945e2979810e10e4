import assert from 'node:assert/strict';
import { onEachDatabase } from '@portolan/test-support/databases';
import { openFormer } from '../clusters/testing.ts';
import { integrationsOf, isIntegrationUsed } from './integrations/rows.ts';

interface FormerTables {
  integration: { id: string; group_id: string; type: string; document: string };
  alert_configuration: {
    id: string;
    group_id: string;
    created: number;
    updated: number;
    enabled: number;
    event_type: string;
    document: string;
  };
}

const [SLACK, WEBHOOK, REMOVED] = ['a', 'b', 'c'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
];

onEachDatabase('the integrations that stored notifications name stay in use', async (t, database) => {
  const { store, groupId, opened } = await openFormer(t, database, [304]);
  const configuration = (id: string, ...integrations: (string | undefined)[]) => {
    const notifications = integrations.map((integrationId) => ({ typeName: 'SLACK', integrationId }));
    const document = JSON.stringify({ matchers: [], notifications });
    const dates = { created: 1, updated: 1, enabled: 1 };
    return { id, group_id: groupId, ...dates, event_type: 'NO_PRIMARY', document };
  };
  await store.write(async (tx) => {
    const db = tx.from<FormerTables>();
    const integration = (id: string, type: string) => ({ id, type, group_id: groupId, document: '{}' });
    const integrations = [integration(SLACK, 'SLACK'), integration(WEBHOOK, 'WEBHOOK')];
    await db.insertInto('integration').values(integrations).execute();
    const configurations = [configuration('1', undefined, SLACK, SLACK), configuration('2', REMOVED)];
    await db.insertInto('alert_configuration').values(configurations).execute();
  });
  const used = await (await opened()).read(async (tx) => {
    const rows = await integrationsOf(tx, groupId);
    return Promise.all(rows.map(async (row) => [row.type, await isIntegrationUsed(tx, row)]));
  });
  assert.deepEqual(used, [
    ['SLACK', true],
    ['WEBHOOK', false],
  ]);
});
