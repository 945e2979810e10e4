import { test } from 'node:test';
import { expectFault } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { states } from './support/states.ts';

onOneSetup('PostgreSQL, two instances', 'saved states with a shared database', (setup) => {
  test('are refused, with the reason', async () => {
    for (const path of [states, '/operator/v1/reset']) {
      const body = path === states ? { name: 'one' } : undefined;
      expectFault(await setup.operator.post(path, body), 409, 'STATES_NEED_OWN_DATABASE');
    }
  });
});
