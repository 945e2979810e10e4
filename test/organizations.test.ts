import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachSetup } from './support/setups.ts';

onEachSetup('organizations', (setup) => {
  test('the first one is there', async () => {
    const { owner, account, bootstrap } = setup;
    for (const client of [owner, account]) {
      const reply = await client.get(`/orgs/${bootstrap.orgId}`);
      assert.equal(reply.status, 200, reply.text);
    }
  });
});
