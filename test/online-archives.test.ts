import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Decimal128, Double, EJSON, Long, ObjectId } from 'bson';
import { newS3Bucket } from './support/access-roles.ts';
import { startClouds } from './support/clouds.ts';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import { idIn, type ListDocument, moveClock, newCluster, newProject } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

/** Interval of the runs in seconds: five minutes. */
const INTERVAL_S = 300;
const DAY_S = 86_400;

type Document = Record<string, unknown>;

const clouds = await startClouds();
after(() => clouds.stop());

timed.onOneSetup(
  'SQLite, one instance',
  'online archives',
  (setup) => {
    const criteria = { dateField: 'at', expireAfterDays: 3 };
    const body = { dbName: 'harbour', collName: 'calls', criteria };

    const created = async (cluster: string, change: object = {}) =>
      expectStatus<Document>(
        await setup.owner.post(`${cluster}/onlineArchives`, { ...body, ...change }),
        200,
      );
    const inState = (path: string, state: string) =>
      until(
        state,
        async () => expectStatus<Document>(await setup.owner.get(path), 200),
        (archive) => archive.state === state,
      );

    interface TaskList {
      readonly results: readonly { readonly kind: string; readonly state: string }[];
    }
    /** Waits until no run of an archive is due or in progress. */
    const runsEnded = () =>
      until(
        'the end of all runs',
        async () =>
          expectStatus<TaskList>(await setup.operator.get('/operator/v1/tasks?itemsPerPage=500'), 200)
            .results,
        (tasks) => tasks.every(({ kind, state }) => !kind.startsWith('onlineArchive.') || state === 'FAILED'),
      );

    async function archivedIn(project: string, archiveId: unknown): Promise<Document[]> {
      const names = clouds.s3Objects();
      const own = names.filter(
        (name) => name.includes(`/${idIn(project)}/`) && name.includes(`/${archiveId}/`),
      );
      const files = await Promise.all(own.map(clouds.s3Object));
      const lines = files.flatMap((content) => String(gunzipSync(content)).trim().split('\n'));
      return lines.map((line) => EJSON.parse(line, { relaxed: false }) as Document);
    }

    async function stage(name: string) {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, name);
      await allowAccess(setup, project, cluster);
      return { project, cluster, driver: await driverFor(setup, cluster) };
    }

    test('old documents are moved to the export bucket with the types of all values', async (t) => {
      const { project, cluster, driver } = await stage('harbour');
      t.after(() => driver.close());
      const calls = driver.db('harbour').collection<Document>('calls');
      const now = await moveClock(setup, 0);
      const old = (days: number) => new Date(now - days * DAY_S * 1000);
      const kept = { _id: new ObjectId(), at: old(2) };
      const otherType = { _id: new ObjectId(), at: 'long ago' };
      const moved = [
        { _id: new ObjectId(), at: old(4), whole: new Double(1), big: Long.fromString('9007199254740993') },
        { _id: new ObjectId(), at: old(5), price: Decimal128.fromString('1.10'), nan: Number.NaN },
        {
          _id: new ObjectId(),
          at: old(6),
          inner: new Map([
            ['b', 1],
            ['20', 2],
            ['3', 3],
          ]),
        },
      ];
      await calls.insertMany([kept, otherType, ...moved] as Document[]);

      const { _id, links: _, ...archive } = await created(cluster);
      const expected = {
        clusterName: 'harbour',
        collName: 'calls',
        collectionType: 'STANDARD',
        criteria: { type: 'DATE', ...criteria, dateFormat: 'ISODATE' },
        dataProcessRegion: { cloudProvider: 'AWS', region: 'US_EAST_1' },
        dbName: 'harbour',
        groupId: idIn(project),
        partitionFields: [{ fieldName: 'at', fieldType: null, order: 0 }],
        paused: false,
        schedule: { type: 'DEFAULT' },
        state: 'PENDING',
      };
      assert.deepEqual(archive, expected);
      const path = `${cluster}/onlineArchives/${_id}`;
      // Without an export bucket, a run moves nothing.
      await moveClock(setup, INTERVAL_S);
      await runsEnded();
      expectFault(
        await setup.owner.post(`${cluster}/onlineArchives`, body),
        409,
        'ACTIVE_ONLINE_ARCHIVE_EXISTS',
        ['harbour.calls'],
      );
      assert.equal((await inState(path, 'PENDING')).state, 'PENDING');
      const early = await setup.owner.patch(`/api/atlas/v2${path}`, { paused: true });
      expectFault(early, 409, 'ONLINE_ARCHIVE_MUST_BE_ACTIVE_TO_PAUSE', ['PENDING']);
      assert.equal(await calls.countDocuments(), 5);

      await newS3Bucket(setup, clouds, project);
      await moveClock(setup, INTERVAL_S);
      await inState(path, 'ACTIVE');
      assert.deepEqual(
        (await calls.find({}, { projection: { _id: 1 } }).toArray()).map((one) => String(one._id)).sort(),
        [kept, otherType].map((one) => String(one._id)).sort(),
      );
      const found = await archivedIn(project, _id);
      const byId = (one: Document) => String(one._id);
      assert.deepEqual(
        found
          .sort((a, b) => byId(a).localeCompare(byId(b)))
          .map((one) => EJSON.stringify(one, { relaxed: false })),
        moved.map((one) => EJSON.stringify(one, { relaxed: false })),
      );
      // The document becomes old enough.
      await moveClock(setup, 2 * DAY_S);
      await until(
        'the next run',
        () => archivedIn(project, _id),
        (all) => all.length === moved.length + 1,
      );
      const { results, totalCount } = expectStatus<ListDocument & { totalCount: number }>(
        await setup.owner.get(`${cluster}/onlineArchives`),
        200,
      );
      assert.deepEqual([totalCount, ...results.map((one) => one._id)], [1, _id]);

      await calls.drop();
      await moveClock(setup, INTERVAL_S);
      await inState(path, 'ORPHANED');
      expectStatus(await setup.owner.delete(path), 204);
      expectFault(await setup.owner.get(path), 404, 'ONLINE_ARCHIVE_NOT_FOUND', [String(_id), 'harbour']);
      assert.equal((await archivedIn(project, _id)).length, moved.length + 1);
      const types = await eventTypes(setup.owner, project);
      assert.deepEqual(
        types.filter((type) => type.startsWith('ONLINE_ARCHIVE_')),
        [
          'ONLINE_ARCHIVE_CREATED',
          'ONLINE_ARCHIVE_ACTIVE',
          'ONLINE_ARCHIVE_ORPHANED',
          'ONLINE_ARCHIVE_DELETED',
        ],
      );
    });

    test('an archive pauses, resumes, and deletes expired files', async (t) => {
      const { project, cluster, driver } = await stage('quay');
      t.after(() => driver.close());
      await newS3Bucket(setup, clouds, project);
      const calls = driver.db('harbour').collection<Document>('calls');
      await calls.insertOne({ state: 'done' });
      const query = '{"state":"done"}';
      const { _id } = await created(cluster, { criteria: { type: 'CUSTOM', query } });
      const path = `${cluster}/onlineArchives/${_id}`;
      await inState(path, 'ACTIVE');
      const change = async (wish: object) => expectStatus<Document>(await setup.owner.patch(path, wish), 200);
      assert.partialDeepStrictEqual(await change({ paused: true }), { paused: true, state: 'PAUSING' });
      await inState(path, 'PAUSED');
      await calls.insertOne({ state: 'done' });
      const { _id: other } = await created(cluster, {
        criteria: { type: 'CUSTOM', query: '{"state":"none"}' },
      });
      expectFault(await setup.owner.patch(path, { paused: false }), 409, 'ACTIVE_ONLINE_ARCHIVE_EXISTS', [
        'harbour.calls',
      ]);
      expectStatus(await setup.owner.delete(`${cluster}/onlineArchives/${other}`), 204);
      await moveClock(setup, INTERVAL_S);
      await runsEnded();
      assert.equal(await calls.countDocuments(), 1);
      assert.partialDeepStrictEqual(await change({ state: 'ACTIVE' }), { paused: false, state: 'PENDING' });
      await inState(path, 'ACTIVE');
      assert.equal((await archivedIn(project, _id)).length, 2);

      const rule = { dataExpirationRule: { expireAfterDays: 7 } };
      const removed = (await change({ dataExpirationRule: {} })).dataExpirationRule;
      assert.equal(removed, undefined);
      assert.partialDeepStrictEqual(await change(rule), rule);
      await moveClock(setup, 9 * DAY_S);
      await until(
        'the expiry of the files',
        () => archivedIn(project, _id),
        (all) => all.length === 0,
      );
    });

    test('archives that cannot move documents are rejected', async () => {
      const project = await newProject(setup);
      const cluster = await newCluster(setup, project, 'pier');
      const rejected = async (field: string, change: object) =>
        expectFault(
          await setup.owner.post(`${cluster}/onlineArchives`, { ...body, ...change }),
          400,
          'INVALID_ATTRIBUTE',
          [field],
        );
      await rejected('collectionType', { collectionType: 'TIMESERIES' });
      await rejected('dbName', { dbName: 'local' });
      const dataProcessRegion = { cloudProvider: 'AWS', region: 'UNKNOWN' };
      await rejected('dataProcessRegion.region', { dataProcessRegion });
      await rejected('collName', { collName: 'system.js' });
      await rejected('criteria.query', { criteria: { type: 'CUSTOM', query: '{}' } });
      await rejected('partitionFields', { partitionFields: [{ fieldName: 'at', order: 1 }] });
      await rejected('partitionFields', { partitionFields: [{ fieldName: 'name', order: 0 }] });
      await rejected('schedule', { schedule: { type: 'DAILY', startHour: 1, endHour: 2 } });
    });
  },
  clouds.options,
);
