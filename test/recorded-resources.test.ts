import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { type ListDocument, newProject } from './support/stage.ts';

/** Tests resources of MongoDB Atlas that the service only records: private endpoints, and invoices. */

type Document = Record<string, unknown>;

onOneSetup('SQLite, one instance', 'recorded resources', (setup) => {
  const vendor = { accept: 'application/vnd.atlas.2025-03-12+json' };

  test('private endpoints for encryption keys and export buckets wait for their acceptance', async () => {
    const { owner } = setup;
    const project = await newProject(setup);
    const common = { errorMessage: null, privateEndpointConnectionName: null, status: 'PENDING_ACCEPTANCE' };
    const keys = `${project}/encryptionAtRest/AZURE/privateEndpoints`;
    const made = expectStatus<Document>(await owner.post(keys, { regionName: 'US_EAST_2' }), 202);
    assert.partialDeepStrictEqual(made, { ...common, cloudProvider: 'AZURE', regionName: 'US_EAST_2' });
    expectFault(await owner.post(keys, { regionName: 'US_EAST_2' }), 409, 'PROVIDER_ENDPOINT_EXISTS', [
      'US_EAST_2',
    ]);
    expectFault(await owner.post(keys, { regionName: 'MOON' }), 400, 'INVALID_REGION', ['MOON', 'AZURE']);
    for (const unknown of ['encryptionAtRest/GCP', 'encryptionAtRest/MOON', 'backup/AZURE'])
      expectFault(await owner.get(`${project}/${unknown}/privateEndpoints`), 400, 'INVALID_PATH_PARAMETER', [
        'cloudProvider',
      ]);
    const shown = expectStatus<Document>(await owner.get(`/api/atlas/v2${keys}/${made.id}`, vendor), 200);
    assert.deepEqual(shown, {
      ...common,
      cloudProvider: 'AZURE',
      id: made.id,
      regionName: 'US_EAST_2',
    });

    const buckets = `${project}/backup/AWS/privateEndpoints`;
    const body = { cloudProvider: 'AWS', regionName: 'EU_WEST_1', vpcRegionName: 'US_EAST_1' };
    const bucket = expectStatus<Document>(await owner.post(buckets, body), 201);
    assert.partialDeepStrictEqual(bucket, { ...common, ...body });
    const list = expectStatus<ListDocument>(await owner.get(buckets), 200);
    assert.deepEqual(
      list.results.map(({ id }) => id),
      [bucket.id],
    );
    expectFault(await owner.get(`${keys}/${bucket.id}`), 404, 'PROVIDER_ENDPOINT_NOT_FOUND', [
      String(bucket.id),
      'AZURE',
    ]);
    for (const path of [`${keys}/${made.id}`, `${buckets}/${bucket.id}`]) {
      expectStatus(await owner.delete(path), 204);
      assert.equal((await owner.get(path)).status, 404);
    }
  });

  test('an organization has the invoice of the present month, with the amount that the operator sets', async () => {
    const { owner, operator, bootstrap } = setup;
    const path = `/orgs/${bootstrap.orgId}/invoices`;
    await operator.put(`/operator/v1/orgs/${bootstrap.orgId}/billing`, { pendingInvoice: 12.5 });
    const { results } = expectStatus<ListDocument>(await owner.get(path), 200);
    const [invoice, ...others] = results;
    assert.deepEqual(others, []);
    assert.partialDeepStrictEqual(invoice, {
      amountBilledCents: 1250,
      amountPaidCents: 0,
      lineItems: [],
      orgId: bootstrap.orgId,
      statusName: 'PENDING',
    });
    const pending = expectStatus<ListDocument>(await owner.get(`/api/atlas/v2${path}/pending`, vendor), 200);
    assert.deepEqual(pending.results[0]?.id, invoice?.id);
    assert.equal(expectStatus<Document>(await owner.get(`${path}/${invoice?.id}`), 200).subtotalCents, 1250);
    assert.equal((await owner.get(`${path}/${'0'.repeat(24)}`)).status, 404);
    await operator.put(`/operator/v1/orgs/${bootstrap.orgId}/billing`, {});
  });
});
