import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { backupsOf, into } from './support/backups.ts';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { pathsBelow } from './support/folders.ts';
import { MARK, withFullDisks } from './support/full-disks.ts';
import { own } from './support/setups.ts';
import { applied, idle, type ListDocument, newCluster, newProject, uniqueName } from './support/stage.ts';

const MEGABYTE = Buffer.alloc(1_000_000, 'x');
/** The server's error code `OutOfDiskSpace`. */
const FULL = 14_031;

/** A definition that does not fit into the free pages of a file. */
const wide = {
  mappings: {
    fields: Object.fromEntries(
      Array.from({ length: 880 }, (_, at) => [`${'field '.repeat(20)}${at}`, { type: 'string' }]),
    ),
  },
};

// One setup is enough, since the engine does not depend on the service's database.
own.onSetup(
  'SQLite, one instance',
  'full disks',
  (setup) => {
    test('when the disk of the service is full, changes and /readyz return errors until there is space again', async () => {
      const { orgId } = setup.bootstrap;
      const mark = join(setup.instances[0]?.dataDirectory ?? '', MARK);
      await writeFile(mark, '');
      const tags = Array.from({ length: 50 }, (_, at) => ({ key: `key-${at}`, value: 'x'.repeat(255) }));
      const create = () => setup.owner.post('/groups', { name: uniqueName('large'), orgId, tags });
      const refused = await until('a refusal', create, ({ status }) => status !== 200);
      expectFault(refused, 503, 'SERVICE_UNAVAILABLE');
      const reason = 'the disk with the database is full';
      assert.equal(
        refused.json().detail,
        `The service cannot process this request at the moment: ${reason}.`,
      );
      const ready = async () => setup.connections[0]?.send({ method: 'GET', target: '/readyz' });
      // The service forgets a failed write after ten seconds, which can pass between two requests on a busy machine.
      const report = await until(
        '503',
        async () => {
          await create();
          return ready();
        },
        (reply) => reply?.status === 503,
      );
      assert.deepEqual(report?.json(), { reason, status: 'not ready' });
      expectStatus(await setup.owner.get(`/orgs/${orgId}`), 200);
      await rm(mark);
      await until('room on the disk', create, ({ status }) => status === 200);
      await until('200', ready, (reply) => reply?.status === 200);
    });

    test('a full disk of one cluster fails its writes and affects nothing else', async (t) => {
      const project = await newProject(setup);
      const [full, other] = [
        await newCluster(setup, project, 'full'),
        await newCluster(setup, project, 'other'),
      ];
      await allowAccess(setup, project, full);
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
      const indexes = `${full}/search/indexes`;
      const place = { database: 'harbour', collectionName: 'cargo' };
      expectStatus(await setup.owner.post(indexes, { ...place, name: 'words', definition: wide }), 201);
      await until(
        'a rejected index',
        async () => setup.instances[0]?.log().includes('rejected a search index: The disk is full'),
        (isRefused) => isRefused === true,
      );
      const index = async () => expectStatus(await setup.owner.get(`${indexes}/harbour/cargo/words`), 200);
      assert.equal((await index()).status, 'PENDING');

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
      await until('the index', index, ({ status }) => status === 'READY');
    });

    test('when the disk is full during a backup or restore, the data is unchanged and both give the reason', async (t) => {
      const { fleet, taken, restored } = backupsOf(setup);
      const { project, cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Riga' });
      const whole = await taken(cluster);
      await ports.insertOne({ _id: 2, name: 'Kotka' });
      const { id } = await idle(setup.owner, cluster);
      const directory = setup.instances[0]?.dataDirectory ?? '';
      const own = join(directory, 'engine/clusters', id);
      const kept = join(directory, 'snapshots', id);
      const files = async () =>
        pathsBelow(kept)
          .filter((name) => name !== MARK)
          .sort();
      const before = await files();
      const path = `${cluster}/backup/snapshots`;
      for (const full of [kept, own]) {
        await writeFile(join(full, MARK), '');
        const { id: failed } = expectStatus<{ id: string }>(await setup.owner.post(path, {}), 200);
        const over = await until(
          'the end of the snapshot',
          async () => expectStatus(await setup.owner.get(`${path}/${failed}`), 200),
          ({ status }) => status === 'failed' || status === 'completed',
        );
        assert.equal(over.status, 'failed', full);
        await until('nothing of it', files, (names) => isDeepStrictEqual(names, before));
      }
      const { ended } = await restored(cluster, into(project, 'fleet', whole.id));
      const problem = 'ENOSPC: no space left on device, write';
      assert.deepEqual([ended.failed, ended.result], [true, { identical: false, problem }]);
      await idle(setup.owner, cluster);
      assert.equal(await ports.countDocuments(), 2);
      const temporary = () => readdir(join(own, 'temporary')).catch((): string[] => []);
      await until('no temporary files', temporary, (names) => names.length === 0);
      const { results } = expectStatus<ListDocument>(
        await setup.owner.get(`${project}/events?eventType=CPS_SNAPSHOT_FAILED`),
        200,
      );
      for (const { reason } of results) assert.match(String(reason), /full|no space/);
      assert.equal(results.length, 2);
      await rm(join(own, MARK));
      await rm(join(kept, MARK));
      assert.equal((await restored(cluster, into(project, 'fleet', whole.id))).ended.failed, false);
      await idle(setup.owner, cluster);
      assert.equal(await ports.countDocuments(), 1);
    });
  },
  { environment: withFullDisks, expectedErrors: /a task has failed/ },
);
