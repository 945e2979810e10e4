import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import type { Reply } from './support/http.ts';
import { onOneSetup } from './support/setups.ts';
import { newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ARN = 'arn:aws:iam::123456789012:role/exports';
const ABSENT = '0123456789abcdef01234567';
const principal = {
  platformAzureAppId: '11111111-2222-3333-4444-555555555555',
  servicePrincipalId: '22222222-2222-3333-4444-555555555555',
  tenantId: '33333333-2222-3333-4444-555555555555',
};

type Role = Record<string, unknown> & { roleId: string; _id: string };

onOneSetup('PostgreSQL, two instances', 'access to cloud providers', (setup) => {
  const access = async () => {
    const project = await newProject(setup);
    const path = `${project}/cloudProviderAccess`;
    const add = async (body: object) => expectStatus<Role>(await setup.owner.post(path, body), 200);
    return { project, path, add };
  };

  test('an AWS role is created, authorized and removed', async () => {
    const { project, path, add } = await access();
    const { createdDate, platformAssumedRoleExternalId, roleId, links, ...made } = await add({
      providerName: 'AWS',
    });
    assert.deepEqual(made, {
      authorizedDate: null,
      featureUsages: [],
      iamAssumedRoleArn: null,
      platformAWSAccountArn: 'arn:aws:iam::000000000000:root',
      providerName: 'AWS',
    });
    assert.match(String(platformAssumedRoleExternalId), UUID);
    assert.match(roleId, /^[a-f0-9]{24}$/);
    assert.ok(Date.parse(String(createdDate)) > 0);
    const [self] = links as { href: string; rel: string }[];
    assert.ok(self?.href.endsWith(`${path}/${roleId}`));

    const authorize = { providerName: 'AWS', iamAssumedRoleArn: ARN };
    const authorized = expectStatus(await setup.owner.patch(`${path}/${roleId}`, authorize), 200);
    assert.equal(authorized.iamAssumedRoleArn, ARN);
    assert.ok(Date.parse(String(authorized.authorizedDate)) >= Date.parse(String(createdDate)));
    const { links: _, ...read } = expectStatus(await setup.owner.get(`${path}/${roleId}`), 200);
    const { links: __, ...whole } = authorized;
    assert.deepEqual(read, whole);
    assert.deepEqual(
      expectStatus(await setup.owner.patch(`${path}/${roleId}`, read), 200).authorizedDate,
      authorized.authorizedDate,
      'what was read may be sent back, and the first authorization counts',
    );

    expectStatus(await setup.owner.delete(`${path}/AWS/${roleId}`), 204);
    expectFault(await setup.owner.get(`${path}/${roleId}`), 404, 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND', [
      roleId,
    ]);
    assert.deepEqual((await eventTypes(setup.owner, project)).slice(-4), [
      'CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_ADDED',
      'CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_UPDATED',
      'CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_UPDATED',
      'CLOUD_PROVIDER_ACCESS_AWS_IAM_ROLE_DELETED',
    ]);
  });

  test('an Azure principal can be used at once, and changed', async () => {
    const { path, add } = await access();
    const {
      _id,
      createdDate,
      lastUpdatedDate,
      links: _,
      ...made
    } = await add({
      providerName: 'AZURE',
      ...principal,
    });
    assert.deepEqual(made, { featureUsages: [], providerName: 'AZURE', ...principal });
    assert.equal(createdDate, lastUpdatedDate);
    const again = { providerName: 'AZURE', ...principal, platformAzureAppId: principal.tenantId };
    const refuseDuplicate = async (reply: Promise<Reply>) =>
      expectFault(await reply, 409, 'DUPLICATE_AZURE_SERVICE_PRINCIPAL', [principal.servicePrincipalId]);
    await refuseDuplicate(setup.owner.post(path, again));
    const other = await add({ ...again, servicePrincipalId: principal.tenantId });
    await refuseDuplicate(setup.owner.patch(`${path}/${other._id}`, again));
    const tenantId = '44444444-2222-3333-4444-555555555555';
    const body = { providerName: 'AZURE', tenantId };
    const changed = expectStatus(await setup.owner.patch(`${path}/${_id}`, body), 200);
    assert.deepEqual(
      [changed.tenantId, changed.servicePrincipalId],
      [tenantId, principal.servicePrincipalId],
    );
    expectStatus(await setup.owner.delete(`${path}/AZURE/${_id}`), 204);
  });

  test('roles are listed by provider', async () => {
    const { path, add } = await access();
    const aws = [await add({ providerName: 'AWS' }), await add({ providerName: 'AWS' })];
    const azure = await add({ providerName: 'AZURE', ...principal });
    const gcp = await add({ providerName: 'GCP' });
    assert.match(String(gcp.gcpServiceAccountForPlatform), /^[^@]+@[^@]+\.iam\.gserviceaccount\.com$/);
    assert.equal(gcp.status, 'COMPLETE');
    const { awsIamRoles, azureServicePrincipals, gcpServiceAccounts } = expectStatus<Record<string, Role[]>>(
      await setup.owner.get(path),
      200,
    );
    assert.deepEqual(
      awsIamRoles?.map(({ roleId }) => roleId),
      aws.map(({ roleId }) => roleId).sort(),
    );
    assert.deepEqual(
      azureServicePrincipals?.map(({ _id }) => _id),
      [azure._id],
    );
    assert.deepEqual(
      gcpServiceAccounts?.map(({ roleId }) => roleId),
      [gcp.roleId],
    );
  });

  test('a project has a limited number of roles', async () => {
    const { path, add } = await access();
    for (let count = 0; count < 100; count++) await add({ providerName: 'AWS' });
    const more = await setup.owner.post(path, { providerName: 'GCP' });
    expectFault(more, 400, 'CLOUD_PROVIDER_ACCESS_ROLES_LIMIT_EXCEEDED', [100]);
  });

  test('rejects incompatible bodies with the field', async () => {
    const { path, add } = await access();
    const { roleId } = await add({ providerName: 'AWS' });
    const post = (body: object) => setup.owner.post(path, body);
    const patch = (body: object) => setup.owner.patch(`${path}/${roleId}`, body);
    expectFault(await post({}), 400, 'MISSING_ATTRIBUTE', ['providerName']);
    expectFault(
      await post({ providerName: 'AZURE', tenantId: principal.tenantId }),
      400,
      'MISSING_ATTRIBUTE',
      ['platformAzureAppId'],
    );
    expectFault(await post({ providerName: 'AWS', tenantId: principal.tenantId }), 400, 'INVALID_ATTRIBUTE', [
      'tenantId',
    ]);
    expectFault(await post({ providerName: 'AWS', iamAssumedRoleArn: ARN }), 400, 'INVALID_ATTRIBUTE', [
      'iamAssumedRoleArn',
    ]);
    expectFault(await patch({ providerName: 'AWS' }), 400, 'MISSING_ATTRIBUTE', ['iamAssumedRoleArn']);
    expectFault(await patch({ providerName: 'GCP' }), 400, 'INVALID_ATTRIBUTE', ['providerName']);
    const user = 'arn:aws:iam::123456789012:user/somebody';
    expectFault(await patch({ providerName: 'AWS', iamAssumedRoleArn: user }), 400, 'CANNOT_ASSUME_ROLE', [
      user,
    ]);
    expectStatus(await patch({ providerName: 'AWS', iamAssumedRoleArn: ARN }), 200);
    expectFault(
      await patch({ providerName: 'AWS', iamAssumedRoleArn: `${ARN}-2` }),
      409,
      'CLOUD_PROVIDER_ACCESS_ROLE_ALREADY_AUTHORIZED',
      [roleId, ARN],
    );
    expectFault(await setup.owner.delete(`${path}/AZURE/${roleId}`), 400, 'INVALID_PATH_PARAMETER', [
      'cloudProvider',
    ]);
    expectFault(await setup.owner.get(`${path}/${ABSENT}`), 404, 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND', [
      ABSENT,
    ]);
  });

  test('a role belongs to its project only', async () => {
    const { add } = await access();
    const { roleId } = await add({ providerName: 'AWS' });
    const other = await access();
    expectFault(
      await setup.owner.patch(`${other.path}/${roleId}`, { providerName: 'AWS', iamAssumedRoleArn: ARN }),
      404,
      'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND',
      [roleId],
    );
    expectStatus(await setup.owner.delete(other.project), 204);
  });
});
