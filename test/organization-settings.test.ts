import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest } from './support/client.ts';
import type { KeyPair } from './support/digest.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { type ListDocument, newOrganization } from './support/stage.ts';
import { eventTypes, newStage } from './support/users.ts';

onOneSetup('SQLite, one instance', 'organization settings', (setup) => {
  const defaults = {
    apiAccessListRequired: false,
    genAIFeaturesEnabled: true,
    multiFactorAuthRequired: false,
    restrictEmployeeAccess: false,
    streamsCrossGroupEnabled: false,
  };

  test('start at defaults, and a change keeps fields that it omits', async () => {
    const { key, org } = await newStage(setup);
    const path = `${org}/settings`;
    const { links, ...first } = expectStatus(await key.get(path), 200);
    assert.deepEqual(first, defaults);
    assert.ok(links);
    const contact = { securityContact: 'watch@example.org', multiFactorAuthRequired: true };
    assert.partialDeepStrictEqual(expectStatus(await key.patch(path, contact), 200), {
      ...defaults,
      ...contact,
    });
    const hours = { maxServiceAccountSecretValidityInHours: 24, multiFactorAuthRequired: false };
    expectStatus(await key.patch(path, hours), 200);
    const after = { ...defaults, ...contact, ...hours };
    assert.partialDeepStrictEqual(expectStatus(await key.get(path), 200), after);
    assert.deepEqual((await eventTypes(key, org)).slice(-3), [
      ...['ORG_TWO_FACTOR_AUTH_REQUIRED', 'ORG_TWO_FACTOR_AUTH_OPTIONAL'],
      'ORG_SERVICE_ACCOUNT_MAX_SECRET_VALIDITY_EDITED',
    ]);
  });

  test('rejects invalid values, and callers who are not owners', async () => {
    const { key, org } = await newStage(setup);
    const path = `${org}/settings`;
    const hours = (value: number) => key.patch(path, { maxServiceAccountSecretValidityInHours: value });
    for (const value of [7, 8761]) {
      assert.equal(expectStatus(await hours(value), 400).errorCode, 'VALIDATION_ERROR');
    }
    expectFault(await key.patch(path, { colour: 'red' }), 400, 'INVALID_ATTRIBUTE', ['colour']);
    expectFault(await key.patch(path, { securityContact: 'x' }), 400, 'INVALID_EMAIL_ADDRESS');
    const reader = await newOrganization(setup, 'ORG_READ_ONLY');
    const own = `/orgs/${reader.id}/settings`;
    expectStatus(await reader.key.get(own), 200);
    const refused = await reader.key.patch(own, { restrictEmployeeAccess: true });
    expectFault(refused, 401, 'NOT_ORG_OWNER', [reader.id]);
  });

  test('requiring address lists blocks keys without one, except the key that requires them', async () => {
    const { key, org } = await newStage(setup);
    const required = { apiAccessListRequired: true };
    const refused = await key.patch(`${org}/settings`, required);
    expectFault(refused, 403, 'ORG_REQUIRES_ACCESS_LIST', ['127.0.0.1']);
    assert.equal(expectStatus(await key.get(`${org}/settings`), 200).apiAccessListRequired, false);
    const { results } = expectStatus<ListDocument>(await key.get(`${org}/apiKeys`), 200);
    const list = `${org}/apiKeys/${results[0]?.id}/accessList`;
    const made = await key.post(`${org}/apiKeys`, { desc: 'another', roles: ['ORG_OWNER'] });
    const pair = expectStatus<KeyPair>(made, 200);
    setup.keepOutOfLogs(pair.privateKey);
    const other = setup.clientWith(digest(pair));
    expectStatus(await key.post(list, [{ ipAddress: '127.0.0.1' }]), 200);
    expectStatus(await key.patch(`${org}/settings`, required), 200);
    await until(
      'refusal by every instance',
      async () => [await other.get(org), await other.get(org)],
      (replies) => replies.every(({ status }) => status === 403),
    );
    expectFault(await other.get(org), 403, 'ORG_REQUIRES_ACCESS_LIST', ['127.0.0.1']);
    expectStatus(await key.get(org), 200);
  });
});
