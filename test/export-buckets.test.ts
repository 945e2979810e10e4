import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startAzurite } from './support/azurite.ts';
import { startClouds } from './support/clouds.ts';
import { expectFault, expectStatus } from './support/expect.ts';
import { freePort } from './support/ports.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, type ListDocument, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const ABSENT = '0123456789abcdef01234567';
const PROBE = 'exported_snapshots/.permissioncheck';
const LEGACY = { accept: 'application/vnd.service.2023-01-01+json' };
const principal = {
  platformAzureAppId: '11111111-2222-3333-4444-555555555555',
  servicePrincipalId: '22222222-2222-3333-4444-555555555555',
  tenantId: '33333333-2222-3333-4444-555555555555',
};

type Document = Record<string, unknown>;

const clouds = await startClouds();
after(() => clouds.stop());
let arns = 0;

onOneSetup(
  'PostgreSQL, two instances',
  'export buckets and their roles',
  (setup) => {
    const access = (project: string) => `${project}/cloudProviderAccess`;
    const buckets = (project: string) => `${project}/backup/exportBuckets`;

    /** Creates an AWS role. With `trusted`, the token service lets the service assume it. */
    async function awsRole(project: string, trusted = true) {
      const made = expectStatus<Document>(
        await setup.owner.post(access(project), { providerName: 'AWS' }),
        200,
      );
      const arn = `arn:aws:iam::123456789012:role/exports-${++arns}`;
      if (trusted) clouds.tokens.trusts.set(arn, String(made.platformAssumedRoleExternalId));
      const roleId = String(made.roleId);
      const body = { providerName: 'AWS', iamAssumedRoleArn: arn };
      return { roleId, arn, reply: await setup.owner.patch(`${access(project)}/${roleId}`, body) };
    }

    test('a role is authorized once the token service permits the service to assume it', async () => {
      const project = await newProject(setup);
      const refused = await awsRole(project, false);
      expectFault(refused.reply, 400, 'CANNOT_ASSUME_ROLE', [refused.arn]);
      const path = `${access(project)}/${refused.roleId}`;
      assert.equal(expectStatus<Document>(await setup.owner.get(path), 200).authorizedDate, null);
      const { reply } = await awsRole(project);
      assert.ok(Date.parse(String(expectStatus<Document>(reply, 200).authorizedDate)) > 0);
      assert.deepEqual([...clouds.tokens.signers], ['the-service']);
    });

    test('an AWS bucket is written to, listed, and can be removed once no export uses it', async () => {
      const project = await newProject(setup);
      const { roleId } = await awsRole(project);
      const body = { bucketName: clouds.s3Bucket, cloudProvider: 'AWS', iamRoleId: roleId };
      const {
        _id,
        links: _,
        ...made
      } = expectStatus<Document>(await setup.owner.post(buckets(project), body), 200);
      assert.deepEqual(made, { ...body, requirePrivateNetworking: false });
      assert.ok(clouds.s3Objects().includes(PROBE));
      const path = `${buckets(project)}/${_id}`;
      const { links: __, ...read } = expectStatus<Document>(await setup.owner.get(path), 200);
      // The response to the creation has no region (docs/contract/clusters.md 3.5).
      assert.deepEqual(read, { _id, ...made, region: 'us-east-1' });

      const rolePath = `${access(project)}/${roleId}`;
      const featureUsages = [
        { featureType: 'EXPORT_SNAPSHOT', featureId: { exportBucketId: _id, groupId: idIn(project) } },
      ];
      assert.deepEqual(
        expectStatus<Document>(await setup.owner.get(rolePath), 200).featureUsages,
        featureUsages,
      );
      const { awsIamRoles } = expectStatus<Record<string, Document[]>>(
        await setup.owner.get(access(project)),
        200,
      );
      assert.deepEqual(
        awsIamRoles?.map((role) => role.featureUsages),
        [featureUsages],
      );
      const deauthorized = await setup.owner.delete(`${access(project)}/AWS/${roleId}`);
      expectFault(deauthorized, 409, 'CLOUD_PROVIDER_ACCESS_ROLE_IN_USE', [roleId]);

      const second = expectStatus(await setup.owner.post(buckets(project), body), 200);
      const list = expectStatus<ListDocument>(
        await setup.owner.get(`${buckets(project)}?itemsPerPage=1`),
        200,
      );
      // Do not compare the order: ids that two instances generate within the same second may come in any order.
      const [one] = list.results;
      assert.deepEqual([list.totalCount, list.results.length], [2, 1]);
      assert.ok([_id, second._id].includes(one?._id));
      for (const bucket of expectStatus<ListDocument>(await setup.owner.get(buckets(project)), 200).results)
        expectStatus(await setup.owner.delete(`${buckets(project)}/${bucket._id}`), 204);
      expectFault(await setup.owner.get(path), 404, 'EXPORT_BUCKET_NOT_FOUND', [String(_id)]);
      expectFault(await setup.owner.delete(path), 404, 'EXPORT_BUCKET_NOT_FOUND', [String(_id)]);
      expectStatus(await setup.owner.delete(`${access(project)}/AWS/${roleId}`), 204);
      const types = await eventTypes(setup.owner, project);
      assert.ok(types.includes('BUCKET_CREATED_AUDIT') && types.includes('BUCKET_DELETED_AUDIT'));
    });

    test('a Google bucket is written to; its role has another field name before 2024-05-30', async () => {
      const project = await newProject(setup);
      const role = expectStatus<Document>(
        await setup.owner.post(access(project), { providerName: 'GCP' }),
        200,
      );
      const place = { bucketName: clouds.google.bucket, cloudProvider: 'GCP' };
      const body = { ...place, roleId: role.roleId };
      const {
        _id,
        links: _,
        ...made
      } = expectStatus<Document>(await setup.owner.post(buckets(project), body), 200);
      assert.deepEqual(made, { ...body, requirePrivateNetworking: false });
      assert.ok(clouds.google.objects.has(PROBE));
      const former = { ...place, iamRoleId: role.roleId };
      const { links: __, ...read } = expectStatus<Document>(
        await setup.owner.get(`${buckets(project)}/${_id}`, LEGACY),
        200,
      );
      assert.deepEqual(read, { _id, ...former, requirePrivateNetworking: false });
      expectStatus(await setup.owner.post(buckets(project), former, LEGACY), 200);
      const refused = await setup.owner.post(buckets(project), {
        ...body,
        bucketName: clouds.google.forbidden,
      });
      const reason = `the bucket ${clouds.google.forbidden} refuses access (403)`;
      expectFault(refused, 400, 'EXPORT_BUCKET_NAME_INVALID', [clouds.google.forbidden, reason]);
    });

    test('an unusable bucket is rejected with its name', async () => {
      const project = await newProject(setup);
      const { roleId } = await awsRole(project);
      const unauthorized = await awsRole(project, false);
      const post = (change: object) => {
        const body = { bucketName: clouds.s3Bucket, cloudProvider: 'AWS', iamRoleId: roleId, ...change };
        return setup.owner.post(buckets(project), body);
      };
      expectFault(await post({ iamRoleId: undefined }), 400, 'MISSING_ATTRIBUTE', ['iamRoleId']);
      expectFault(await post({ bucketName: undefined }), 400, 'MISSING_ATTRIBUTE', ['bucketName']);
      expectFault(await post({ iamRoleId: ABSENT }), 404, 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND', [ABSENT]);
      expectFault(await post({ cloudProvider: 'GCP' }), 404, 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND', [
        roleId,
      ]);
      expectFault(
        await post({ iamRoleId: unauthorized.roleId }),
        400,
        'CLOUD_PROVIDER_ACCESS_ROLE_NOT_AUTHORIZED',
        [unauthorized.roleId],
      );
      for (const bucketName of ['ab', '-abc', 'a/b/c', 'a'.repeat(64)]) {
        expectFault(await post({ bucketName }), 400, 'EXPORT_BUCKET_NAME_INVALID', [
          bucketName,
          'this is not a valid bucket name',
        ]);
      }
      expectFault(await post({ bucketName: 'nothing-here' }), 400, 'EXPORT_BUCKET_NAME_INVALID', [
        'nothing-here',
        'there is no bucket nothing-here',
      ]);
      expectFault(await post({ tenantId: principal.tenantId }), 400, 'INVALID_ATTRIBUTE', ['tenantId']);
      assert.equal(expectStatus<ListDocument>(await setup.owner.get(buckets(project)), 200).totalCount, 0);
    });

    test('blob storage must have an Azure address, or one that the operator allows', async () => {
      const project = await newProject(setup);
      const role = expectStatus<Document>(
        await setup.owner.post(access(project), { providerName: 'AZURE', ...principal }),
        200,
      );
      const post = (serviceUrl: string | undefined, change: object = {}) => {
        const body = { cloudProvider: 'AZURE', roleId: role._id, serviceUrl, ...change };
        return setup.owner.post(buckets(project), body);
      };
      const account = 'https://exports.blob.core.windows.net';
      expectFault(await post(undefined), 400, 'MISSING_ATTRIBUTE', ['serviceUrl']);
      expectFault(await post(account), 400, 'MISSING_ATTRIBUTE', ['bucketName']);
      const both = await post(`${account}/container`, { bucketName: 'another' });
      expectFault(both, 400, 'INVALID_ATTRIBUTE', ['bucketName']);
      for (const serviceUrl of [
        'https://a.blob.core.windows.net',
        'https://storage.somebody-else.example/container',
        'http://exports.blob.core.windows.net/container',
        `${account}/container?sig=a-signature`,
        `${account}/container/deeper`,
      ])
        expectFault(await post(serviceUrl), 400, 'INVALID_ATTRIBUTE', ['serviceUrl']);
      // The connection is rejected, since nothing listens on this port.
      const nobody = await post(`http://127.0.0.1:${await freePort()}/account/container`);
      expectFault(nobody, 400, 'EXPORT_BUCKET_NAME_INVALID', [
        'container',
        'the container container did not answer (ECONNREFUSED)',
      ]);
    });

    test('an Azurite container is written to', async (t) => {
      const azurite = await startAzurite();
      if (typeof azurite === 'string') {
        t.diagnostic(`Azurite was not tested, since it cannot be installed here: ${azurite}`);
        return;
      }
      t.after(() => azurite.stop());
      await azurite.addContainer('exports');
      const project = await newProject(setup);
      const body = { providerName: 'AZURE', ...principal };
      const role = expectStatus<Document>(await setup.owner.post(access(project), body), 200);
      const serviceUrl = `${azurite.url}/exports`;
      const bucket = { cloudProvider: 'AZURE', roleId: role._id, serviceUrl, tenantId: principal.tenantId };
      const reply = await setup.owner.post(buckets(project), bucket);
      const { _id, links: _, ...made } = expectStatus<Document>(reply, 200);
      assert.deepEqual(made, { ...bucket, bucketName: 'exports', requirePrivateNetworking: false });
      assert.deepEqual(await azurite.blobs('exports'), [PROBE]);
      const path = `${access(project)}/${role._id}`;
      const usage = {
        featureType: 'EXPORT_SNAPSHOT',
        featureId: { exportBucketId: _id, groupId: idIn(project) },
      };
      assert.deepEqual(expectStatus<Document>(await setup.owner.get(path), 200).featureUsages, [usage]);
    });
  },
  clouds.options,
);
