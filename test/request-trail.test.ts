import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { type ListDocument, newOrganization } from './support/stage.ts';

interface RequestDocument {
  readonly at: string;
  readonly caller: { readonly id: string; readonly kind: string; readonly name: string };
  readonly method: string;
  readonly operation: string;
  readonly path: string;
  readonly remoteAddress: string;
  readonly requestId: string;
  readonly status: number;
}

onOneSetup('SQLite, one instance', 'the request trail', (setup) => {
  const trailOf = async (orgId: string, query = '') =>
    expectStatus<ListDocument<RequestDocument>>(
      await setup.operator.get(`/operator/v1/orgs/${orgId}/requests${query}`),
      200,
    );

  test('lists caller, operation, address and result for the operator, newest first', async () => {
    // Begin a second earlier, since dates in responses have no fractions of a second.
    const begun = Date.now() - 1000;
    const { key, keyId, id, pair } = await newOrganization(setup, 'ORG_OWNER');
    const headers = { 'x-request-id': 'first.of.three' };
    expectStatus(await key.get(`/orgs/${id}?pretty=true`, { headers }), 200);
    expectFault(await key.patch(`/orgs/${id}`, {}), 400, 'MISSING_ATTRIBUTE', ['name']);
    expectFault(await key.get('/nowhere'), 404, 'RESOURCE_NOT_FOUND', ['/api/service/v2/nowhere']);
    const { results, totalCount } = await until(
      'three requests in the trail',
      () => trailOf(id),
      (trail) => trail.results.length >= 3,
    );
    assert.equal(totalCount, results.length);
    const base = '/api/service/v2';
    // Sort the requests, since instances write independently. Only requests of the same instance are in order.
    const told = results.map(({ method, operation, path, status }) =>
      [method, operation, path, status].join(' '),
    );
    assert.deepEqual(told.toSorted(), [
      `GET getOrganization ${base}/orgs/${id} 200`,
      `GET none ${base}/nowhere 404`,
      `PATCH updateOrganization ${base}/orgs/${id} 400`,
    ]);
    if (setup.instances.length === 1) assert.equal(results.at(-1)?.requestId, 'first.of.three');
    for (const { caller, remoteAddress, at } of results) {
      assert.deepEqual(caller, { id: keyId, kind: 'apiKey', name: pair.publicKey });
      assert.equal(remoteAddress, '127.0.0.1');
      assert.ok(begun <= Date.parse(at) && Date.parse(at) <= Date.now(), at);
    }
    const one = await trailOf(id, '?itemsPerPage=1');
    assert.deepEqual([one.results.length, one.results[0]?.requestId], [1, results[0]?.requestId]);
    assert.ok(one.links.some(({ rel }) => rel === 'next'));
  });

  test('is reserved to the operator', async () => {
    const { orgId } = setup.bootstrap;
    expectFault(await setup.owner.get(`/operator/v1/orgs/${orgId}/requests`), 401, 'UNAUTHORIZED');
    const absent = 'f'.repeat(24);
    const nowhere = await setup.operator.get(`/operator/v1/orgs/${absent}/requests`);
    expectFault(nowhere, 404, 'ORG_NOT_FOUND', [absent]);
  });
});
