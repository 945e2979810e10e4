import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { deserialize } from 'bson';
import { backedUp, backupsOf, into } from './support/backups.ts';
import { driverFor, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { fetchBytes } from './support/http.ts';
import { isAlive } from './support/processes.ts';
import { REMOVAL } from './support/removal.ts';
import { own } from './support/setups.ts';
import { idle, moveClock } from './support/stage.ts';
import { isOnPath, runProgram } from './support/tools.ts';

const HOUR_MS = 3_600_000;
const sharded = { ...backedUp, clusterType: 'SHARDED', numShards: 2 };

interface Job extends Record<string, unknown> {
  readonly id: string;
  readonly deliveryUrl: readonly string[];
  readonly expiresAt?: string;
  readonly components?: ReadonlyArray<{ readonly downloadUrl?: string; readonly replicaSetName: string }>;
}

own.onOneSetup(
  'PostgreSQL, two instances',
  'downloads of snapshots',
  (setup) => {
    const { fleet, taken } = backupsOf(setup);

    const asked = (snapshotId: string) => ({ deliveryType: 'download', snapshotId });

    async function ready(cluster: string, id: string): Promise<Job> {
      const reply = await until(
        'the archives',
        () => setup.owner.get(`${cluster}/backup/restoreJobs/${id}`),
        (answer) => answer.json<Job>().deliveryUrl.length > 0 || answer.json().failed === true,
      );
      return expectStatus<Job>(reply, 200);
    }

    const begun = async (cluster: string, snapshotId: string) =>
      expectStatus<Job>(await setup.owner.post(`${cluster}/backup/restoreJobs`, asked(snapshotId)), 200);

    /** Fetches a link anonymously from one instance. */
    async function fetched(url: string, headers: Record<string, string> = {}, instance = 0, method = 'GET') {
      const { pathname, search } = new URL(url);
      const base = setup.instances[instance]?.bootstrap.url ?? '';
      const authority = setup.instances[instance]?.authority;
      return fetchBytes({ url: new URL(pathname + search, base), method, headers, authority });
    }

    /** Unpacks an archive with `tar`. Returns its files. */
    async function unpacked(
      t: TestContext,
      archive: Buffer,
      use: (folder: string) => Promise<void> = async () => {},
    ): Promise<Map<string, Buffer>> {
      const folder = await mkdtemp(join(tmpdir(), 'portolan-dump-'));
      t.after(() => rm(folder, REMOVAL));
      await writeFile(join(folder, 'it.tgz'), archive);
      const { code, stderr } = await runProgram('tar', ['xzf', 'it.tgz'], { cwd: folder });
      assert.equal(code, 0, stderr);
      await use(folder);
      const names = await readdir(join(folder, 'dump'), { recursive: true, withFileTypes: true });
      const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
      const read = async (path: string) =>
        [path.slice(join(folder, 'dump/').length), await readFile(path)] as const;
      return new Map(await Promise.all(files.sort().map(read)));
    }

    async function restoredByTool(cluster: string, cwd: string, args: readonly string[]): Promise<void> {
      const { connectionStrings } = await idle(setup.owner, cluster);
      const account = [`--username=${SAILOR.username}`, `--password=${SAILOR.password}`];
      const uri = `--uri=${connectionStrings.standard}`;
      const { code, stderr } = await runProgram('mongorestore', [uri, ...account, ...args], { cwd });
      assert.equal(code, 0, stderr);
    }

    /** Restores an archive to another database of the same cluster. */
    async function restoredBeside(t: TestContext, cluster: string, cwd: string): Promise<void> {
      if (!(await isOnPath('mongorestore'))) {
        t.diagnostic('mongorestore was not tried, as it is not on the path');
        return;
      }
      await restoredByTool(cluster, cwd, ['--nsFrom=harbour.*', '--nsTo=again.*', 'dump']);
      const driver = await driverFor(setup, cluster);
      t.after(() => driver.close());
      const again = driver.db('again').collection('ports');
      assert.equal(await again.countDocuments(), 500);
      assert.equal((await again.indexes()).length, 2);
    }

    const folderOf = (clusterId: string, jobId: string) =>
      join(String(setup.settings['snapshot-store'] ?? storeOf()), clusterId, 'downloads', jobId);
    const kept = (clusterId: string, jobId: string) => readdir(folderOf(clusterId, jobId)).catch(() => []);
    const storeOf = () => join(setup.instances[0]?.dataDirectory ?? '', 'snapshots');

    test('an archive is created, downloaded in ranges from any instance, and expires after an hour', async (t) => {
      const { cluster, ports } = await fleet(t);
      await ports.insertMany(Array.from({ length: 500 }, (_, n) => ({ _id: n, name: `port ${n}` })));
      await ports.createIndex({ name: 1 });
      const snapshot = await taken(cluster);
      // Begin a second earlier, since dates in responses have no fractions of a second.
      const before = Date.now() - 1000;
      const job = await begun(cluster, snapshot.id);
      const { id, links: _, ...document } = job;
      assert.deepEqual(document, {
        cancelled: false,
        deliveryType: 'download',
        deliveryUrl: [],
        desiredTimestamp: { date: null, increment: null, time: null },
        expired: false,
        failed: false,
        privateDownloadDeliveryUrls: [],
        snapshotId: snapshot.id,
        timestamp: snapshot.createdAt,
      });
      const jobs = `${cluster}/backup/restoreJobs`;
      expectFault(
        await setup.owner.post(jobs, asked(snapshot.id)),
        400,
        'CANNOT_DOWNLOAD_SNAPSHOT_CONCURRENTLY',
      );

      const offered = await ready(cluster, id);
      assert.deepEqual(offered.result, { identical: true, collections: 1, documents: 500 });
      assert.equal(offered.finishedAt, undefined);
      const offeredAt = Date.parse(offered.expiresAt ?? '') - HOUR_MS;
      assert.ok(before <= offeredAt && offeredAt <= Date.now(), offered.expiresAt);
      const [url = ''] = offered.deliveryUrl;
      setup.keepOutOfLogs(new URL(url).searchParams.get('token') ?? '');
      const whole = await fetched(url);
      assert.deepEqual([whole.status, whole.headers['content-type']], [200, 'application/gzip']);
      const { etag = '' } = whole.headers;
      assert.equal(etag, `"${createHash('sha256').update(whole.body).digest('hex')}"`);
      const files = await unpacked(t, whole.body, (folder) => restoredBeside(t, cluster, folder));
      assert.deepEqual([...files.keys()], ['harbour/ports.bson', 'harbour/ports.metadata.json']);
      assert.deepEqual(documentsIn(files.get('harbour/ports.bson')).at(-1), { _id: 499, name: 'port 499' });
      const { uuid, ...metadata } = JSON.parse(String(files.get('harbour/ports.metadata.json')));
      assert.match(uuid, /^[0-9a-f]{32}$/);
      const two = { $numberInt: '2' };
      assert.deepEqual(metadata, {
        indexes: [
          { v: two, key: { _id: { $numberInt: '1' } }, name: '_id_' },
          { v: two, key: { name: { $numberInt: '1' } }, name: 'name_1' },
        ],
        collectionName: 'ports',
        type: 'collection',
      });

      // The second instance continues a download that the first one began.
      const length = whole.body.length;
      const head = await fetched(url, {}, 1, 'HEAD');
      assert.deepEqual(
        [head.status, head.headers['content-length'], head.body.length],
        [200, `${length}`, 0],
      );
      const rest = await fetched(url, { range: 'bytes=100-', 'if-range': etag }, 1);
      assert.deepEqual(
        [rest.status, rest.headers['content-range']],
        [206, `bytes 100-${length - 1}/${length}`],
      );
      assert.deepEqual(Buffer.concat([whole.body.subarray(0, 100), rest.body]), whole.body);
      const changed = await fetched(url, { range: 'bytes=100-', 'if-range': '"another"' });
      assert.deepEqual([changed.status, changed.body.length], [200, length]);
      const beyond = await fetched(url, { range: `bytes=${length}-` });
      assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, `bytes */${length}`]);
      assert.equal((await fetched(url.replace(/.$/, url.endsWith('A') ? 'B' : 'A'))).status, 404);
      assert.equal((await fetched(url.replace(/\?.*$/, ''))).status, 404);
      assert.equal((await fetched(url.replace(/\/0\//, '/00/'))).status, 404);
      assert.equal((await fetched(url.replace('.tgz', '.zip'))).status, 404);

      const { id: clusterId } = await idle(setup.owner, cluster);
      assert.deepEqual(await kept(clusterId, id), ['0-0']);
      await moveClock(setup, 3_601);
      assert.equal((await fetched(url)).status, 404);
      const over = await until(
        'its end',
        async () => expectStatus<Job>(await setup.owner.get(`${jobs}/${id}`), 200),
        ({ expired }) => expired === true,
      );
      assert.deepEqual([over.deliveryUrl, over.cancelled, over.failed], [[], false, false]);
      await until(
        'its files gone',
        () => kept(clusterId, id),
        (names) => names.length === 0,
      );
      expectFault(await setup.owner.delete(`${jobs}/${id}`), 400, 'CANNOT_CANCEL_AUTOMATED_RESTORE');
    });

    test('can be cancelled, ends with its snapshot, and completes after a kill of the service', async (t) => {
      const { project, cluster, ports } = await fleet(t);
      await ports.insertOne({ _id: 1, name: 'Riga' });
      const { id: clusterId } = await idle(setup.owner, cluster);
      const jobs = `${cluster}/backup/restoreJobs`;
      const hosts = setup.instances.map((instance) => instance.hostPid());
      const goOn = () => {
        for (const pid of hosts.filter(isAlive)) process.kill(pid, 'SIGCONT');
      };
      t.after(goOn);
      for (const pid of hosts) process.kill(pid, 'SIGSTOP');
      const waiting = await setup.owner.post(`${cluster}/backup/snapshots`, {});
      const queued = expectStatus<{ id: string }>(waiting, 200);
      const refused = await setup.owner.post(jobs, asked(queued.id));
      goOn();
      expectFault(refused, 409, 'CANNOT_DOWNLOAD_INCOMPLETE_SNAPSHOT');
      await until(
        'the snapshot',
        () => setup.owner.get(`${cluster}/backup/snapshots/${queued.id}`),
        (answer) => answer.json().status === 'completed',
      );

      const target = into(project, 'fleet', queued.id);
      for (const name of ['targetClusterName', 'targetGroupId'] as const) {
        const body = { ...asked(queued.id), [name]: target[name] };
        expectFault(await setup.owner.post(jobs, body), 400, 'INVALID_ATTRIBUTE', [name]);
      }
      expectFault(await setup.owner.post(jobs, { deliveryType: 'download' }), 400, 'MISSING_ATTRIBUTE', [
        'snapshotId',
      ]);

      const first = await begun(cluster, queued.id);
      const offered = await ready(cluster, first.id);
      expectStatus(await setup.owner.delete(`${jobs}/${first.id}`), 204);
      const cancelled = expectStatus<Job>(await setup.owner.get(`${jobs}/${first.id}`), 200);
      assert.deepEqual([cancelled.cancelled, cancelled.expired, cancelled.deliveryUrl], [true, false, []]);
      assert.equal((await fetched(offered.deliveryUrl[0] ?? '')).status, 404);
      await until(
        'its files gone',
        () => kept(clusterId, first.id),
        (names) => names.length === 0,
      );

      // The schema of the first version requires a target in every body.
      const legacy = await setup.owner.post(`/api/service/v1.0${jobs}`, { ...asked(queued.id), ...target });
      const second = expectStatus<Job>(legacy, 200);
      for (const instance of setup.instances) await instance.kill();
      await setup.start();
      const again = await ready(cluster, second.id);
      assert.equal(again.failed, false);
      assert.equal((await fetched(again.deliveryUrl[0] ?? '')).status, 200);
      const other = await taken(cluster);
      const third = await ready(cluster, (await begun(cluster, other.id)).id);
      const part = join(folderOf(clusterId, third.id), '0-0');
      const flipped = await readFile(part);
      flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
      await writeFile(part, flipped);
      assert.equal((await fetched(third.deliveryUrl[0] ?? '')).status, 404);
      const damaged = expectStatus<Job>(await setup.owner.get(`${jobs}/${third.id}`), 200);
      assert.deepEqual(damaged.result, { identical: false, problem: 'part 0 of archive 0 is damaged' });
      assert.deepEqual([damaged.failed, damaged.deliveryUrl], [true, []]);
      for (const { dataDirectory } of setup.instances) {
        const left = () => readdir(join(dataDirectory, 'temporary'));
        await until('no temporary files', left, (names) => names.length === 0);
      }
      expectStatus(await setup.owner.delete(`${cluster}/backup/snapshots/${queued.id}`), 204);
      assert.equal((await fetched(again.deliveryUrl[0] ?? '')).status, 404);
      for (const body of [asked(queued.id), { deliveryType: 'automated', ...target }]) {
        expectFault(await setup.owner.post(jobs, body), 409, 'CANNOT_START_RESTORE_JOB_FOR_DELETED_SNAPSHOT');
      }
      const gone = expectStatus<Job>(await setup.owner.get(`${jobs}/${second.id}`), 200);
      assert.deepEqual([gone.expired, gone.deliveryUrl], [true, []]);
      await until(
        'its files gone',
        () => kept(clusterId, second.id),
        (names) => names.length === 0,
      );
    });

    test('unusual database and collection names are restored unchanged', async (t) => {
      const { cluster, driver } = await fleet(t);
      const names = ['städte', 'a#b', 'a+b', 'a:b', "a'b", 'Ünïcödé', '100%', 'a&b=c', '(a)!~@^{}[];,'];
      const collections = [...names, 'a b', 'a/b', 'a\\b', '%2F', 'a.b', 'é'.repeat(60)];
      const documents = async (database: string) => {
        const of = (name: string) => driver.db(database).collection(name).find().toArray();
        return Promise.all(collections.map(async (name) => [name, await of(name)]));
      };
      for (const database of names)
        for (const [n, name] of collections.entries())
          await driver.db(database).collection<{ _id: number }>(name).insertOne({ _id: n });
      const before = await Promise.all(names.map(documents));
      const snapshot = await taken(cluster);
      const { deliveryUrl } = await ready(cluster, (await begun(cluster, snapshot.id)).id);
      const { body } = await fetched(deliveryUrl[0] ?? '');
      const files = await unpacked(t, body, async (folder) => {
        if (!(await isOnPath('mongorestore'))) {
          t.diagnostic('mongorestore was not tried, as it is not on the path');
          return;
        }
        for (const database of names)
          for (const name of collections) await driver.db(database).collection(name).drop();
        await restoredByTool(cluster, folder, ['dump']);
        assert.deepEqual(await Promise.all(names.map(documents)), before);
        const listed = (await driver.db('admin').admin().listDatabases({ nameOnly: true })).databases;
        assert.deepEqual(
          listed.map(({ name }) => name).filter((name) => !['admin', 'config', 'local'].includes(name)),
          names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
        );
      });
      // `mongorestore` reads the name of a database from the folder, and the name of a collection from its metadata.
      const found = [...files].flatMap(([path, content]) =>
        path.endsWith('.metadata.json')
          ? [[path.slice(0, path.indexOf('/')), JSON.parse(String(content)).collectionName].join(' ')]
          : [],
      );
      const expected = names.flatMap((database) => collections.map((name) => `${database} ${name}`));
      assert.deepEqual(found.toSorted(), expected.toSorted());
    });

    test('a sharded cluster has an archive for each shard, and every document is in one of them', async (t) => {
      const { project, cluster, ports } = await fleet(t, sharded);
      await ports.insertMany(Array.from({ length: 20 }, (_, n) => ({ _id: n, name: `port ${n}` })));
      const snapshot = await taken(cluster, '/shardedCluster');
      const members = snapshot.members as { id: string; replicaSetName: string }[];
      const offered = await ready(cluster, (await begun(cluster, snapshot.id)).id);
      const { components = [] } = offered;
      assert.deepEqual(
        components.map(({ replicaSetName }) => replicaSetName),
        members.map(({ replicaSetName }) => replicaSetName),
      );
      assert.deepEqual(
        components.map(({ downloadUrl }) => downloadUrl),
        offered.deliveryUrl,
      );
      const archives = await Promise.all(offered.deliveryUrl.map((url) => fetched(url)));
      const all = await Promise.all(archives.map(({ body }) => unpacked(t, body)));
      const ids = all.flatMap((files) => documentsIn(files.get('harbour/ports.bson')).map(({ _id }) => _id));
      assert.deepEqual(
        ids.sort((a, b) => a - b),
        Array.from({ length: 20 }, (_, n) => n),
      );

      const jobs = `${cluster}/backup/restoreJobs`;
      expectStatus(await setup.owner.delete(`${jobs}/${offered.id}`), 204);
      const [member] = members;
      const body = { deliveryType: 'automated', ...into(project, 'fleet', member?.id ?? '') };
      expectFault(await setup.owner.post(jobs, body), 400, 'AUTOMATED_RESTORE_OF_SHARD_NOT_ALLOWED');
      const shard = await begun(cluster, member?.id ?? '');
      assert.equal(shard.snapshotId, member?.id);
      expectFault(
        await setup.owner.delete(`${jobs}/${shard.id}`),
        405,
        'PLATFORM_BACKUP_CANCEL_SHARD_RESTORE_JOB_NOT_ALLOWED',
      );
      const one = await ready(cluster, shard.id);
      assert.deepEqual(
        [one.deliveryUrl.length, one.components?.[0]?.replicaSetName],
        [1, member?.replicaSetName],
      );
      const events = expectStatus<{ results: { eventTypeName: string }[] }>(
        await setup.owner.get(`${project}/events?itemsPerPage=500`),
        200,
      );
      assert.ok(events.results.some(({ eventTypeName }) => eventTypeName === 'CPS_RESTORE_SUCCESSFUL'));
    });
  },
  { expectedErrors: /download archive is damaged/ },
);

function documentsIn(bytes: Buffer = Buffer.alloc(0)) {
  const documents: { _id: number; name: string }[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at)) {
    const document = bytes.subarray(at, at + bytes.readInt32LE(at));
    documents.push(deserialize(document) as { _id: number; name: string });
  }
  return documents;
}
