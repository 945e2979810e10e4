import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { driverFor, letIn } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { MARK, withFullDisks } from './support/full-disks.ts';
import { own } from './support/setups.ts';
import { applied, idle, newCluster, newProject, uniqueName } from './support/stage.ts';

const MEGABYTE = Buffer.alloc(1_000_000, 'x');
/** The server's `OutOfDiskSpace`. */
const FULL = 14_031;

// What the engine does does not depend on the service's database.
own.onSetup(
  'SQLite, one instance',
  'full disks',
  (setup) => {
    test('the disk of the service is full: changes and /readyz say so until there is room again', async () => {
      const { orgId } = setup.bootstrap;
      const mark = join(setup.instances[0]?.dataDirectory ?? '', MARK);
      await writeFile(mark, '');
      const tags = Array.from({ length: 50 }, (_, at) => ({ key: `key-${at}`, value: 'x'.repeat(255) }));
      const create = () => setup.owner.post('/groups', { name: uniqueName('large'), orgId, tags });
      const refused = await until('a refusal', create, ({ status }) => status !== 200);
      expectFault(refused, 503, 'SERVICE_UNAVAILABLE');
      const reason = 'the disk with the database is full';
      assert.equal(refused.json().detail, `The service cannot take this request at the moment: ${reason}.`);
      const ready = async () => setup.connections[0]?.send({ method: 'GET', target: '/readyz' });
      const report = await ready();
      assert.deepEqual([report?.status, report?.json()], [503, { reason, status: 'not ready' }]);
      expectStatus(await setup.owner.get(`/orgs/${orgId}`), 200);
      await rm(mark);
      await until('room on the disk', create, ({ status }) => status === 200);
      await until('200', ready, (reply) => reply?.status === 200);
    });

    test('the disk of one cluster is full: its writes say so, and everything else goes on', async (t) => {
      const project = await newProject(setup);
      const [full, other] = [
        await newCluster(setup, project, 'full'),
        await newCluster(setup, project, 'other'),
      ];
      await letIn(setup, project, full);
      await applied(setup.owner, other);
      const drivers = [await driverFor(setup, full), await driverFor(setup, other)] as const;
      t.after(() => Promise.all(drivers.map((driver) => driver.close())));
      const [cargo, ports] = drivers.map((driver) => driver.db('harbour').collection('cargo'));
      assert.ok(cargo && ports);
      let kept = 0;
      const load = async () => {
        await cargo.insertOne({ load: MEGABYTE });
        kept++;
      };
      await load();

      const { id } = await idle(setup.owner, full);
      const mark = join(setup.instances[0]?.dataDirectory ?? '', 'engine/clusters', id, MARK);
      await writeFile(mark, '');
      const refusal = await until(
        'a full disk',
        () =>
          load().then(
            () => undefined,
            (error: { code: number; message: string }) => error,
          ),
        (error) => error !== undefined,
      );
      assert.deepEqual([refusal?.code, refusal?.message], [FULL, 'The disk is full']);
      for (let count = 0; count < 3; count++) {
        await assert.rejects(load(), { code: FULL });
        await ports.insertOne({ load: MEGABYTE });
      }
      assert.equal(await cargo.countDocuments(), kept);
      assert.equal((await idle(setup.owner, full)).stateName, 'IDLE');
      const loads = `${project}/sampleDatasetLoad`;
      const { _id } = expectStatus(await setup.owner.post(`${loads}/full`, undefined), 201);
      const { errorMessage } = await until(
        'the end of the sample data',
        async () => expectStatus(await setup.owner.get(`${loads}/${_id}`), 200),
        ({ state }) => state === 'FAILED',
      );
      assert.equal(errorMessage, 'The disk is full');
      await newCluster(setup, project, 'another');

      await rm(mark);
      await until(
        'room on the disk',
        () =>
          load().then(
            () => true,
            () => false,
          ),
        (written) => written,
      );
      assert.equal(await cargo.countDocuments(), kept);
      assert.equal(await ports.countDocuments(), 3);
    });
  },
  { environment: withFullDisks, expectedErrors: /a task has failed for good/ },
);
