import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MongoClient } from 'mongodb';
import { LONG_TIMEOUTS } from './support/drivers.ts';
import { engineAlone } from './support/engine-alone.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import type { MigrationHostProcess } from './support/migration-host.ts';
import {
  cutOver,
  digestsOf,
  fillSource,
  linked,
  type Migration,
  migrate,
  migration,
  migrationBody,
  newTarget,
  projectOf,
  READER,
  reportedProject,
  type SourceCluster,
  sourceCluster,
  targetDriver,
  untilMigration,
  untilReady,
  validated,
  Writer,
} from './support/migrations.ts';
import { dice } from './support/random.ts';
import { type Scope, scopeOf } from './support/service.ts';
import { openSetup, own } from './support/setups.ts';
import { idIn, type ListDocument, newOrganization } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface WatchTask {
  readonly key: string;
  readonly progress?: { readonly done: number; readonly total: number; readonly unit: string };
}

const scope: Scope = scopeOf({ after });
/** A source whose members use TLS. */
let source: SourceCluster;
let elder: SourceCluster;
let authority: string;

before(async () => {
  const origin = await openSetup(scope, 'SQLite, one instance', { settings: { 'engine-tls': true } });
  authority = origin.bootstrap.caCertificate ?? '';
  source = await sourceCluster(scope, origin, 'old');
  await fillSource(source.driver);
  elder = await sourceCluster(scope, origin, 'elder', { dbMajorVersion: '6.0' });
  await fillSource(elder.driver);
});

own.onOneSetup('SQLite, one instance', 'live migrations', (setup) => {
  let projectId: string;
  let host: MigrationHostProcess;
  const alone = engineAlone();
  const bodyFor = (target: string, change: object = {}, name = 'fleet') => {
    const { source: from, ...body } = migrationBody(target, { projectId, name }, change);
    return { ...body, source: { ...from, ssl: true } };
  };
  const list = async (path: string) =>
    expectStatus<ListDocument<Record<string, unknown>>>(await setup.owner.get(path), 200).results;

  before(async () => {
    setup.keepOutOfLogs(READER.password);
    const sources = [`fleet=${source.uri}`, `elder=${elder.uri}`, `forgetful=${alone()}`];
    ({ host } = await linked(scope, setup, sources));
    ({ projectId } = await reportedProject(setup, sources.length));
  });

  /** How much of a migration is copied, according to the task that watches it. */
  async function copiedOf(migrationId: string): Promise<string> {
    const path = '/operator/v1/tasks?kind=liveMigration.watch&itemsPerPage=500';
    const { results } = expectStatus<ListDocument<WatchTask>>(await setup.operator.get(path), 200);
    const { progress } = results.find(({ key }) => key.includes(migrationId)) ?? assert.fail('no such task');
    const { done, total, unit } = progress ?? assert.fail('no progress');
    return done === total && done > 0 ? `all ${unit}` : `${done} of ${total} ${unit}`;
  }

  /**
   * Expects that the owner of another organization cannot read the validation or the migration, whether the path names
   * this project or the owner's own project.
   */
  async function expectOfNobodyElse(project: string, migrationId: string, body: object): Promise<void> {
    const asked = await setup.owner.post(`${project}/liveMigrations/validate`, body);
    const { _id: validationId } = expectStatus(asked, 200);
    const { id: orgId, key } = await newOrganization(setup, 'ORG_OWNER');
    const { id } = expectStatus(await key.post('/groups', { name: 'strangers', orgId }), 200);
    for (const base of ['', '/api/service/v1.0'])
      for (const [method, path, named] of [
        ['GET', `validate/${validationId}`, `the validation ${validationId}`],
        ['GET', migrationId, `the live migration ${migrationId}`],
        ['PUT', `${migrationId}/cutover`, `the live migration ${migrationId}`],
        ['DELETE', migrationId, `the live migration ${migrationId}`],
      ] as const) {
        const theirs = await key.send(method, `${base}${project}/liveMigrations/${path}`);
        expectFault(theirs, 401, 'USER_UNAUTHORIZED');
        const own = `${base}/groups/${id}/liveMigrations/${path}`;
        expectFault(await key.send(method, own), 404, 'RESOURCE_NOT_FOUND', [named]);
      }
  }

  test('a cluster is copied under load, is protected meanwhile, and has equal data after the cutover', async (t) => {
    const target = await newTarget(setup, 'new');
    const project = projectOf(target);
    const writer = new Writer(scope, source.driver, dice(7));
    const credentials = { managedAuthentication: false, ...READER };
    const body = bodyFor(target);
    // Suspend the migration host. Otherwise, the migration could be ready when the test requests a cutover too early.
    host.pause();
    t.after(() => host.resume());
    const reply = await setup.owner.post(`${project}/liveMigrations`, {
      ...body,
      source: { ...body.source, ...credentials, caCertificatePath: authority },
      migrationHosts: ['127.0.0.1'],
    });
    const { _id, links: _links, ...begun } = expectStatus<Migration & { links: unknown }>(reply, 201);
    assert.deepEqual(begun, {
      lagTimeSeconds: null,
      migrationHosts: ['127.0.0.1'],
      readyForCutover: false,
      status: 'NEW',
    });
    const path = `${project}/liveMigrations/${_id}`;
    const listed = await setup.owner.get(`${project}/liveMigrations`);
    const [newest] = expectStatus<ListDocument<Record<string, unknown>>>(listed, 200).results;
    assert.deepEqual([newest?._id, newest?.destinationClusterName], [_id, 'new']);
    const cutover = `${path}/cutover`;
    expectFault(await setup.owner.send('PUT', cutover), 400, 'INVALID_ATTRIBUTE', ['liveMigrationId']);
    host.resume();
    const running = ['CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT', ['new']] as const;
    expectFault(await setup.owner.post(`${project}/liveMigrations`, body), 409, ...running);
    expectFault(await setup.owner.patch(target, { diskSizeGB: 20 }), 409, ...running);
    expectFault(await setup.owner.patch(target, { paused: true }), 409, ...running);

    const ready = await untilReady(setup, path);
    assert.equal(ready.status, 'WORKING');
    assert.ok(ready.lagTimeSeconds !== null && ready.lagTimeSeconds <= 2, JSON.stringify(ready));
    await until(
      'all documents copied',
      () => copiedOf(String(_id)),
      (copied) => copied === 'all documents',
    );
    const guest = `live-migration-${_id}`;
    assert.deepEqual(
      (await list(`${project}/databaseUsers`)).map(({ username }) => username),
      [guest],
    );
    assert.deepEqual(
      (await list(`${project}/accessList`)).map(({ ipAddress, comment }) => [ipAddress, comment]),
      [['127.0.0.1', `Live migration ${_id}`]],
    );
    await expectOfNobodyElse(project, String(_id), body);
    await until(
      'some load',
      async () => writer.written,
      (written) => written > 100,
    );
    await writer.stop();
    await cutOver(setup, path);
    assert.deepEqual(
      await migration(setup, path).then(({ lagTimeSeconds, readyForCutover, status }) => ({
        lagTimeSeconds,
        readyForCutover,
        status,
      })),
      {
        lagTimeSeconds: null,
        readyForCutover: false,
        status: 'COMPLETE',
      },
    );
    expectFault(await setup.owner.send('PUT', cutover), 400, 'INVALID_ATTRIBUTE', ['liveMigrationId']);
    assert.deepEqual(await list(`${project}/databaseUsers`), []);
    assert.deepEqual(await list(`${project}/accessList`), []);
    expectStatus(await setup.owner.patch(target, { tags: [{ key: 'moved', value: 'yes' }] }), 200);
    assert.deepEqual(
      (await eventTypes(setup.owner, project)).filter((type) => type.includes('IMPORT')),
      ['CLUSTER_IMPORT_STARTED', 'CLUSTER_IMPORT_CUTOVER', 'CLUSTER_IMPORT_COMPLETED'],
    );

    const driver = await targetDriver(scope, setup, target);
    assert.deepEqual(await digestsOf(driver), await digestsOf(source.driver));
    await sameStructure(source, driver);
    // Writes to the source after the cutover are not copied.
    await source.driver.db('inn').collection('guests').insertOne({ late: _id });
    assert.equal(await driver.db('inn').collection('guests').countDocuments({ late: _id }), 0);

    const { status, errorMessage } = await validated(setup, target, bodyFor(target));
    assert.equal(status, 'FAILED');
    assert.match(String(errorMessage), /collection \w+\.\w+ of the source exists in the destination already/);
    const again = await migrate(setup, target, bodyFor(target, { dropDestinationData: true }));
    await driver
      .db('harbour')
      .collection('extra')
      .insertOne({ goes: true })
      .catch(() => {});
    await cutOver(setup, again);
    const now = await digestsOf(source.driver);
    const { harbour, ...rest } = await digestsOf(driver);
    const { extra: ___, ...collections } = harbour as Record<string, unknown>;
    assert.deepEqual({ ...rest, harbour: collections }, now);
  });

  test('an impossible migration fails early with a reason', async () => {
    const target = await newTarget(setup, 'early');
    const body = bodyFor(target);
    const wrong = {
      ...body,
      source: { ...body.source, managedAuthentication: false, username: 'nobody', password: 'wrong' },
    };
    const path = await migrate(setup, target, wrong);
    await untilMigration(setup, path, 'failed', ({ status }) => status === 'FAILED');
    const [event] = (await list(`${projectOf(target)}/events?eventType=CLUSTER_IMPORT_CANCELLED`)) as {
      reason?: string;
    }[];
    assert.match(String(event?.reason), /rejects the user name or password/);
    // This file contains the authority of the destination, not that of the source.
    const stranger = { ...body.source, caCertificatePath: setup.bootstrap.caCertificate };
    const { errorMessage } = await validated(setup, target, { ...body, source: stranger });
    assert.match(String(errorMessage), /TLS options do not match/);
    const old = await validated(setup, target, bodyFor(target, {}, 'elder'));
    assert.match(
      String(old.errorMessage),
      /version 6\.0, which is not compatible with version 8\.0 of the destination/,
    );
  });

  test('a deployment of version 6.0 is migrated under load to a cluster of the same version', async () => {
    const target = await newTarget(setup, 'aged', { dbMajorVersion: '6.0' });
    const writer = new Writer(scope, elder.driver, dice(19));
    const path = await migrate(setup, target, bodyFor(target, {}, 'elder'));
    await untilReady(setup, path);
    await writer.stop();
    await cutOver(setup, path);
    const driver = await targetDriver(scope, setup, target);
    assert.deepEqual(await digestsOf(driver), await digestsOf(elder.driver));
  });

  test("restarts up to three times if the source's oplog has dropped changes", async () => {
    const forgetful = await MongoClient.connect(alone(), LONG_TIMEOUTS);
    scope.after(() => forgetful.close());
    const admin = forgetful.db('admin');
    await admin.command({ setFeatureCompatibilityVersion: '8.0', confirm: true });
    const ships = forgetful.db('harbour').collection('ships');
    await ships.insertMany([{ name: 'Argo' }, { name: 'Beagle' }]);
    /** Makes change streams fail, as if the oplog no longer contained their position. */
    const forget = (mode: unknown) =>
      admin.command({
        configureFailPoint: 'failCommand',
        mode,
        data: { failCommands: ['getMore'], errorCode: 286, appName: 'portolan link' },
      });
    const begin = async (name: string) => {
      const target = await newTarget(setup, name);
      const { source: from, ...body } = bodyFor(target, {}, 'forgetful');
      return { target, path: await migrate(setup, target, { ...body, source: { ...from, ssl: false } }) };
    };
    const eventsOf = async (target: string) =>
      (await eventTypes(setup.owner, projectOf(target))).filter((type) => type.includes('IMPORT'));

    const { target, path } = await begin('anew');
    await untilReady(setup, path);
    await forget({ times: 1 });
    await ships.deleteOne({ name: 'Argo' });
    await ships.insertOne({ name: 'Victory' });
    await until(
      'it restarts',
      () => eventsOf(target),
      (types) => types.includes('CLUSTER_IMPORT_RESTART_REQUESTED'),
    );
    await cutOver(setup, path);
    assert.deepEqual(await eventsOf(target), [
      'CLUSTER_IMPORT_STARTED',
      'CLUSTER_IMPORT_RESTART_REQUESTED',
      'CLUSTER_IMPORT_CUTOVER',
      'CLUSTER_IMPORT_COMPLETED',
    ]);
    const driver = await targetDriver(scope, setup, target);
    assert.deepEqual(await digestsOf(driver), await digestsOf(forgetful));

    const hopeless = await begin('hopeless');
    await untilReady(setup, hopeless.path);
    await forget('alwaysOn');
    await untilMigration(setup, hopeless.path, 'failed', ({ status }) => status === 'FAILED');
    await forget('off');
    assert.deepEqual(await eventsOf(hopeless.target), [
      'CLUSTER_IMPORT_STARTED',
      ...Array(3).fill('CLUSTER_IMPORT_RESTART_REQUESTED'),
      'CLUSTER_IMPORT_CANCELLED',
    ]);
  });

  test('a cluster cannot be restored during a migration, and its deletion ends the migration', async () => {
    const target = await newTarget(setup, 'guarded', { providerBackupEnabled: true });
    const taken = await setup.owner.post(`${target}/backup/snapshots`, { retentionInDays: 1 });
    const { id } = expectStatus<{ id: string }>(taken, 200);
    await untilSnapshot(`${target}/backup/snapshots/${id}`);
    const path = await migrate(setup, target, bodyFor(target));
    await untilReady(setup, path);
    const restore = {
      deliveryType: 'automated',
      snapshotId: id,
      targetClusterName: 'guarded',
      targetGroupId: idIn(projectOf(target)),
    };
    expectFault(
      await setup.owner.post(`${target}/backup/restoreJobs`, restore),
      400,
      'CANNOT_PERFORM_RESTORE_ON_CLUSTER_WITH_RUNNING_LIVE_IMPORT',
      ['guarded'],
    );
    expectStatus(await setup.owner.delete(target), 202);
    await untilMigration(setup, path, 'failed', ({ status }) => status === 'FAILED');
  });

  const untilSnapshot = async (path: string) => {
    await until(
      'the snapshot',
      async () => (await setup.owner.get(path)).json(),
      ({ status }) => status === 'completed',
    );
  };

  test('of two migration hosts with one name the later one continues, and the earlier one ends when it resumes', async () => {
    const target = await newTarget(setup, 'twin');
    const twin = ['--host', 'twin.example'];
    const former = await linked(scope, setup, [`fleet=${source.uri}`], twin);
    const path = await migrate(setup, target, bodyFor(target, { migrationHosts: ['twin.example'] }));
    await untilReady(setup, path);
    former.host.pause();
    const later = await linked(scope, setup, [`fleet=${source.uri}`], twin);
    const { _id } = await migration(setup, path);
    await source.driver.db('inn').collection('guests').insertOne({ while: _id });
    const driver = await targetDriver(scope, setup, target);
    const arrived = () => driver.db('inn').collection('guests').countDocuments({ while: _id });
    await until('a change by the later one', arrived, (count) => count === 1);
    former.host.resume();
    assert.equal(await former.host.ended, 1);
    assert.match(former.host.log(), /another migration host of the same name has taken over/);
    await cutOver(setup, path);
    assert.deepEqual(await digestsOf(driver), await digestsOf(source.driver));
    await later.host.kill();
  });

  // Run this test after the comparisons. It advances the destination's time, so documents expire there but not at the
  // source.
  test('a migration without cutover expires after five days', async () => {
    const target = await newTarget(setup, 'late');
    const path = await migrate(setup, target, bodyFor(target));
    await untilReady(setup, path);
    const advance = async (hours: number) =>
      expectStatus(await setup.operator.patch('/operator/v1/clock', { advanceSeconds: hours * 3_600 }), 200);
    await advance(119);
    await untilReady(setup, path);
    await advance(2);
    await untilMigration(setup, path, 'expired', ({ status }) => status === 'EXPIRED');
    const types = await eventTypes(setup.owner, projectOf(target));
    assert.ok(types.includes('CLUSTER_IMPORT_EXPIRED'), types.join());
    expectStatus(await setup.owner.patch(target, { tags: [] }), 200);
  });

  test('a migration is cancelled, which frees its destination', async () => {
    const target = await newTarget(setup, 'dropped');
    const path = await migrate(setup, target, bodyFor(target));
    await untilReady(setup, path);
    expectStatus(await setup.owner.delete(path), 204);
    const { errorMessage } = await untilMigration(setup, path, 'failed', ({ status }) => status === 'FAILED');
    const reason = `it was cancelled by ${setup.bootstrap.publicKey}`;
    assert.equal(errorMessage, reason);
    const events = await list(`${projectOf(target)}/events?eventType=CLUSTER_IMPORT_CANCELLED`);
    assert.deepEqual(
      events.map((event) => event.reason),
      [reason],
    );
    expectStatus(await setup.owner.patch(target, { tags: [] }), 200);
    expectFault(await setup.owner.delete(path), 400, 'INVALID_ATTRIBUTE', ['liveMigrationId']);
  });

  test('deleting the link ends its migrations', async () => {
    const target = await newTarget(setup, 'cut');
    const path = await migrate(setup, target, bodyFor(target));
    await untilReady(setup, path);
    expectStatus(await setup.owner.delete(`/orgs/${setup.bootstrap.orgId}/liveMigrations/linkTokens`), 204);
    const { errorMessage } = await untilMigration(setup, path, 'failed', ({ status }) => status === 'FAILED');
    assert.equal(errorMessage, 'the link token was deleted');
  });
});

/** Compares the options of collections and indexes, which the hashes do not include. */
async function sameStructure(
  { driver: origin }: SourceCluster,
  driver: SourceCluster['driver'],
): Promise<void> {
  for (const database of ['harbour', 'inn', 'kinds', 'yard']) {
    const described = await Promise.all(
      [origin, driver].map(async (one) => {
        const infos = (
          await one
            .db(database)
            .listCollections({ type: { $ne: 'timeseries' } })
            .toArray()
        ).filter(({ name }) => !name.startsWith('system.'));
        const indexes = infos
          .filter(({ type }) => type === 'collection')
          .map(async ({ name }) => [name, sorted(await one.db(database).collection(name).indexes())]);
        return {
          options: sorted(
            infos.map(({ name, type, ...more }) => ({
              name,
              type,
              options: 'options' in more ? more.options : {},
            })),
          ),
          indexes: await Promise.all(indexes).then((all) => Object.fromEntries(all)),
        };
      }),
    );
    assert.deepEqual(described[1], described[0], database);
  }
}

function sorted<T>(items: readonly T[]): T[] {
  const nameOf = (item: T) => String((item as { name?: unknown }).name);
  return [...items].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}
