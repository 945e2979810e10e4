import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { newRole } from './support/access-roles.ts';
import { startClouds } from './support/clouds.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import { idIn, idle, moveClock, newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

/** Interval of the exports in seconds: five minutes. */
const INTERVAL_S = 300;
const VENDOR = { accept: 'application/vnd.atlas.2023-01-01+json' };

type Document = Record<string, unknown>;

const clouds = await startClouds();
after(() => clouds.stop());

timed.onOneSetup(
  'SQLite, one instance',
  'exports of logs',
  (setup) => {
    const pathOf = (project: string) => `${project}/pushBasedLogExport`;
    const found = async (project: string) =>
      expectStatus<Document>(await setup.owner.get(pathOf(project)), 200) as Document & { state: string };
    const inState = (project: string, state: string) =>
      until(
        state,
        () => found(project),
        (one) => one.state === state,
      );
    const filesOf = async (folder: string) =>
      clouds.s3Objects().filter((name) => name.startsWith(`${folder}/`));

    test('the log lines of each node are exported once', async () => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'harbour');
      assert.deepEqual(await found(project), { state: 'UNCONFIGURED', links: (await found(project)).links });
      const { roleId: iamRoleId } = await newRole(setup, clouds, project);
      const body = { bucketName: clouds.s3Bucket, iamRoleId, prefixPath: '/logs/of/ours/' };
      expectStatus(await setup.owner.post(pathOf(project), body), 204);
      expectFault(
        await setup.owner.post(pathOf(project), body),
        409,
        'PUSH_BASED_LOG_EXPORT_ALREADY_CONFIGURED',
        [idIn(project)],
      );
      const { createDate, links: _, ...active } = await inState(project, 'ACTIVE');
      assert.ok(Date.parse(String(createDate)) > 0);
      assert.deepEqual(active, { ...body, state: 'ACTIVE' });
      assert.ok(clouds.s3Objects().includes('logs/of/ours/.permissioncheck'));

      const folder = `logs/of/ours/${setup.bootstrap.orgId}/${idIn(project)}/harbour`;
      /** Lets the nodes write lines by failovers, until there are more than `count` exported files. */
      const moreThan = (count: number) =>
        until(
          `more than ${count} exported files`,
          async () => {
            const restarted = await setup.owner.post(`${cluster}/restartPrimaries`, undefined);
            // While the cluster is being repaired, a failover is rejected.
            if (restarted.status !== 400) expectStatus(restarted, 200);
            // Wait for the failover. If the export began before the failover, the next export would begin only five
            // minutes later.
            await idle(setup.owner, cluster);
            await moveClock(setup, 2 * INTERVAL_S);
            return filesOf(folder);
          },
          (names) => names.length > count,
        );
      const files = await moreThan(0);
      const name = /^[^/]+_\d+\/mongodb\/\d{4}-\d\d-\d\d\/\d{9}Z\.log\.gz$/;
      for (const file of files) assert.match(file.slice(folder.length + 1), name);
      const lines = async () => {
        const all = await Promise.all((await filesOf(folder)).map(clouds.s3Object));
        return all.flatMap((content) => String(gunzipSync(content)).trim().split('\n'));
      };
      const first = await lines();
      for (const line of first) assert.ok(JSON.parse(line).t.$date >= String(createDate).slice(0, 19), line);
      // The next export has a later beginning, and repeats no line.
      await moreThan(files.length);
      const all = await lines();
      assert.equal(new Set(all).size, all.length);

      expectFault(
        await setup.owner.delete(`${project}/cloudProviderAccess/AWS/${iamRoleId}`),
        409,
        'CLOUD_PROVIDER_ACCESS_ROLE_IN_USE',
        [iamRoleId],
      );
      expectStatus(await setup.owner.delete(pathOf(project)), 204);
      expectStatus(await setup.owner.delete(pathOf(project)), 204);
      assert.equal((await found(project)).state, 'UNCONFIGURED');
      expectStatus(await setup.owner.delete(`${project}/cloudProviderAccess/AWS/${iamRoleId}`), 204);
    });

    test('an export reports a failure, and continues when the cause is removed', async () => {
      const project = await newProject(setup);
      const { roleId: iamRoleId } = await newRole(setup, clouds, project);
      const change = (body: object) => setup.owner.patch(pathOf(project), body);
      expectFault(await change({ prefixPath: '' }), 404, 'PUSH_BASED_LOG_EXPORT_NOT_CONFIGURED', [
        idIn(project),
      ]);
      const unnamed = { bucketName: 'noBucket', iamRoleId, prefixPath: '' };
      expectFault(await setup.owner.post(pathOf(project), unnamed), 400, 'INVALID_ATTRIBUTE', ['bucketName']);
      const roleless = { ...unnamed, iamRoleId: idIn(project) };
      const refused = await setup.owner.post(pathOf(project), roleless);
      assert.equal(refused.json().errorCode, 'CLOUD_PROVIDER_ACCESS_ROLE_NOT_FOUND');
      const body = { bucketName: 'no-such-bucket', iamRoleId, prefixPath: '' };
      expectStatus(await setup.owner.post(pathOf(project), body), 204);
      await inState(project, 'BUCKET_VERIFICATION_FAILED');
      const { roleId: other, arn } = await newRole(setup, clouds, project);
      const trusted = clouds.tokens.trusts.get(arn) ?? '';
      clouds.tokens.trusts.delete(arn);
      expectStatus(await change({ iamRoleId: other, bucketName: clouds.s3Bucket }), 204);
      await inState(project, 'ASSUME_ROLE_FAILED');
      // The role that the change replaced is no longer in use.
      expectStatus(await setup.owner.delete(`${project}/cloudProviderAccess/AWS/${iamRoleId}`), 204);

      await newCluster(setup, project, 'harbour');
      clouds.tokens.trusts.set(arn, trusted);
      await moveClock(setup, INTERVAL_S);
      await inState(project, 'ACTIVE');
      clouds.tokens.trusts.delete(arn);
      await moveClock(setup, INTERVAL_S);
      await inState(project, 'ASSUME_ROLE_FAILED');
      const types = await eventTypes(setup.owner, project);
      const own = types.filter((type) => type.startsWith('PUSH_BASED_LOG_EXPORT_'));
      assert.deepEqual(own.toSorted(), [
        'PUSH_BASED_LOG_EXPORT_CONFIGURATION_UPDATED',
        'PUSH_BASED_LOG_EXPORT_ENABLED',
        'PUSH_BASED_LOG_EXPORT_RESUMED',
        'PUSH_BASED_LOG_EXPORT_STOPPED',
      ]);
    });

    test('in the form of the vendor, changes return 200 and an empty document', async () => {
      const project = await newProject(setup);
      const { roleId: iamRoleId } = await newRole(setup, clouds, project);
      const path = `/api/atlas/v2/groups/${idIn(project)}/pushBasedLogExport`;
      const body = { bucketName: clouds.s3Bucket, iamRoleId, prefixPath: 'vendor' };
      for (const reply of [
        await setup.owner.send('POST', path, body, VENDOR),
        await setup.owner.send('PATCH', path, { prefixPath: 'other' }, VENDOR),
        await setup.owner.send('DELETE', path, undefined, VENDOR),
      ])
        assert.deepEqual([reply.status, reply.text], [200, '{}']);
    });
  },
  clouds.options,
);
