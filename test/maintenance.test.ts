import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { timed } from './support/setups.ts';
import {
  type ClusterDocument,
  idIn,
  idle,
  type ListDocument,
  linksTo,
  newCluster,
  newProject,
  withoutOrigins,
} from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const HOUR_S = 3_600;
const WEEK_S = 7 * 24 * HOUR_S;
const FIRST = 'application/vnd.service.2023-01-01+json';

timed.onOneSetup('SQLite, one instance', 'maintenance windows', (setup) => {
  const at = (project: string) => `${project}/maintenanceWindow`;
  const read = async (project: string) => expectStatus(await setup.owner.get(at(project)), 200);
  const show = async (project: string) => withoutOrigins(await read(project));
  const set = async (project: string, body: object) =>
    expectStatus(await setup.owner.patch(at(project), body), 200);
  const now = async () =>
    new Date(expectStatus<{ now: string }>(await setup.operator.get('/operator/v1/clock'), 200).now);
  const moveTo = async (date: Date) =>
    expectStatus(await setup.operator.patch('/operator/v1/clock', { now: date.toISOString() }), 200);
  const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1000);
  const eventsOf = async (project: string) =>
    (await eventTypes(setup.owner, project)).filter((type) => type.startsWith('MAINTENANCE'));
  const versionOf = async (cluster: string) =>
    expectStatus<ClusterDocument & { dbMajorVersion: string }>(await setup.owner.get(cluster), 200)
      .dbMajorVersion;
  const release = async (cluster: string, versionReleaseSystem: string) =>
    expectStatus(await setup.owner.patch(cluster, { versionReleaseSystem }), 200);

  /** Returns a maintenance window that begins some hours from now, and the date when it begins. */
  async function windowIn(hours: number) {
    const begin = later(await now(), hours * HOUR_S);
    begin.setUTCMinutes(0, 0, 0);
    return { begin, body: { dayOfWeek: begin.getUTCDay() + 1, hourOfDay: begin.getUTCHours() } };
  }

  test('an automatic upgrade waits for the window and can be deferred twice', async () => {
    const project = await newProject(setup);
    assert.deepEqual(await show(project), {
      autoDeferOnceEnabled: false,
      dayOfWeek: 0,
      hourOfDay: 0,
      links: linksTo(at(project)),
      numberOfDeferrals: 0,
      startASAP: false,
      timeZoneId: 'UTC',
    });
    const { begin, body } = await windowIn(5);
    await set(project, await read(project));
    assert.equal((await read(project)).dayOfWeek, 0, 'what was shown may be sent back');
    await set(project, body);
    const none = await setup.owner.patch(at(project), { dayOfWeek: 0 });
    expectFault(none, 400, 'ATTRIBUTE_NEGATIVE_OR_ZERO', ['dayOfWeek']);
    const shown = {
      ...{ ...body, autoDeferOnceEnabled: false, numberOfDeferrals: 0, startASAP: false },
      links: linksTo(at(project)),
      timeZoneId: 'UTC',
    };
    assert.deepEqual(await show(project), shown);
    const cluster = await newCluster(setup, project, 'quay', { dbMajorVersion: '6.0' });
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    try {
      const ships = driver.db('harbour').collection('ships');
      await ships.insertOne({ name: 'Beagle' });
      assert.deepEqual(await eventsOf(project), []);
      await release(cluster, 'CONTINUOUS');
      await idle(setup.owner, cluster);
      assert.equal(await versionOf(cluster), '6.0');
      assert.deepEqual(await eventsOf(project), ['MAINTENANCE_IN_ADVANCED']);

      for (const numberOfDeferrals of [1, 2]) {
        expectStatus(await setup.owner.post(`${at(project)}/defer`, undefined), 200);
        assert.deepEqual(await show(project), { ...shown, numberOfDeferrals });
      }
      const refused = async (reply: ReturnType<typeof setup.owner.get>, code: string) =>
        expectFault(await reply, 400, code, []);
      await refused(
        setup.owner.post(`${at(project)}/defer`, undefined),
        'PLATFORM_NUM_MAINTENANCE_DEFERRALS_EXCEEDED',
      );
      const other = { ...body, hourOfDay: (body.hourOfDay + 1) % 24 };
      await refused(setup.owner.patch(at(project), other), 'PLATFORM_MAINTENANCE_ALREADY_SCHEDULED');
      await refused(setup.owner.delete(at(project)), 'PLATFORM_MAINTENANCE_ALREADY_SCHEDULED');

      await moveTo(later(begin, 2 * WEEK_S - 600));
      assert.deepEqual(await eventsOf(project), ['MAINTENANCE_IN_ADVANCED']);
      assert.equal(await versionOf(cluster), '6.0');
      assert.match((await driver.db('admin').command({ buildInfo: 1 })).version, /^6\.0/);
      await moveTo(later(begin, 2 * WEEK_S));
      await until(
        'another version',
        () => versionOf(cluster),
        (version) => version === '8.0',
      );
      await idle(setup.owner, cluster);
      assert.match((await driver.db('admin').command({ buildInfo: 1 })).version, /^8\.0/);
      assert.equal(await ships.countDocuments(), 1);
      await until(
        'its end',
        () => read(project),
        ({ numberOfDeferrals }) => numberOfDeferrals === 0,
      );
      assert.deepEqual(await eventsOf(project), ['MAINTENANCE_IN_ADVANCED', 'MAINTENANCE_STARTED']);
      const submitted = (await eventTypes(setup.owner, project)).filter((type) =>
        type.startsWith('CLUSTER_UPDATE'),
      );
      assert.equal(submitted.filter((type) => type === 'CLUSTER_UPDATE_COMPLETED').length, 2);
      expectStatus(await setup.owner.delete(at(project)), 204);
      assert.equal((await read(project)).dayOfWeek, 0);
    } finally {
      await driver.close();
    }
  });

  test('without a window, maintenance starts at once', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'eager', { dbMajorVersion: '7.0' });
    await release(cluster, 'CONTINUOUS');
    await until(
      'another version',
      () => versionOf(cluster),
      (version) => version === '8.0',
    );
    await idle(setup.owner, cluster);
    assert.deepEqual(await eventsOf(project), ['MAINTENANCE_IN_ADVANCED', 'MAINTENANCE_STARTED']);
    expectFault(
      await setup.owner.post(`${at(project)}/defer`, undefined),
      400,
      'PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED',
    );
    expectFault(
      await setup.owner.post(`${at(project)}/autoDefer`, undefined),
      400,
      'PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED',
    );
  });

  test('each maintenance can be deferred automatically, cancelled, or started at once', async () => {
    const project = await newProject(setup);
    const { begin, body } = await windowIn(3);
    const night = { startHourOfDay: (body.hourOfDay + 12) % 24, endHourOfDay: (body.hourOfDay + 14) % 24 };
    await set(project, { ...body, protectedHours: night });
    expectStatus(await setup.owner.post(`${at(project)}/autoDefer`, undefined), 200);
    assert.deepEqual((await read(project)).protectedHours, night);
    assert.equal((await read(project)).autoDeferOnceEnabled, true);
    expectFault(
      await setup.owner.patch(at(project), { ...body, startASAP: true }),
      400,
      'PLATFORM_MAINTENANCE_NOT_SCHEDULED',
    );
    const cluster = await newCluster(setup, project, 'late', { dbMajorVersion: '7.0' });
    await release(cluster, 'CONTINUOUS');
    const ahead = ['MAINTENANCE_IN_ADVANCED', 'MAINTENANCE_AUTO_DEFERRED'];
    assert.deepEqual(await eventsOf(project), ahead);
    assert.equal((await read(project)).numberOfDeferrals, 1);
    await moveTo(later(begin, 60));
    await release(cluster, 'LTS');
    assert.deepEqual(await eventsOf(project), [...ahead, 'MAINTENANCE_NO_LONGER_NEEDED']);
    assert.equal((await read(project)).numberOfDeferrals, 0);
    assert.equal(await versionOf(cluster), '7.0');

    await release(cluster, 'CONTINUOUS');
    // During protected hours, no maintenance starts, even with `startASAP`.
    const protect = later(begin, 12 * HOUR_S + 600);
    await moveTo(protect);
    await set(project, { ...body, startASAP: true });
    assert.equal((await read(project)).startASAP, true);
    assert.equal(await versionOf(cluster), '7.0');
    await moveTo(later(begin, 14 * HOUR_S));
    await until(
      'another version',
      () => versionOf(cluster),
      (version) => version === '8.0',
    );
    await until(
      'its end',
      () => read(project),
      ({ startASAP }) => startASAP === false,
    );
    assert.deepEqual(await eventsOf(project), [
      ...ahead,
      'MAINTENANCE_NO_LONGER_NEEDED',
      ...ahead,
      'MAINTENANCE_STARTED',
    ]);
  });

  test('the first window of a project creates alert configurations that send notifications', async () => {
    const project = await newProject(setup);
    const configured = async () =>
      expectStatus<ListDocument<{ eventTypeName: string }>>(
        await setup.owner.get(`${project}/alertConfigs`),
        200,
      )
        .results.map(({ eventTypeName }) => eventTypeName)
        .filter((name) => name.startsWith('MAINTENANCE'));
    assert.deepEqual(await configured(), []);
    const { body } = await windowIn(30);
    const asked = ['MAINTENANCE_IN_ADVANCED', 'MAINTENANCE_STARTED', 'MAINTENANCE_NO_LONGER_NEEDED'];
    await set(project, body);
    assert.deepEqual(await configured(), asked);
    expectStatus(await setup.owner.delete(at(project)), 204);
    await set(project, body);
    assert.deepEqual(await configured(), asked);
    const cluster = await newCluster(setup, project, 'told', { dbMajorVersion: '7.0' });
    await release(cluster, 'CONTINUOUS');
    const inbox = `/operator/v1/notifications?groupId=${idIn(project)}`;
    const { results } = await until(
      'a notification',
      async () =>
        expectStatus<ListDocument<{ subject: string; typeName: string }>>(
          await setup.operator.get(inbox),
          200,
        ),
      (found) => found.results.length > 0,
    );
    assert.equal(results.length, 1);
    assert.match(results[0]?.subject ?? '', /Maintenance was scheduled/);
    await release(cluster, 'LTS');
  });

  test('the first version has fewer fields and empty responses; invalid windows are rejected', async () => {
    const project = await newProject(setup);
    const first = { accept: FIRST };
    const body = { dayOfWeek: 7, hourOfDay: 23, autoDeferOnceEnabled: true };
    const set204 = await setup.owner.patch(at(project), body, first);
    assert.deepEqual([set204.status, set204.text], [204, '']);
    assert.deepEqual(withoutOrigins(expectStatus(await setup.owner.get(at(project), first), 200)), {
      ...body,
      links: linksTo(at(project)),
      startASAP: false,
    });
    expectStatus(await setup.owner.post(`${at(project)}/autoDefer`, undefined, first), 204);
    const legacy = `/api/service/v1.0${at(project)}`;
    assert.equal(expectStatus(await setup.owner.get(legacy), 200).autoDeferOnceEnabled, false);
    expectStatus(await setup.owner.delete(legacy), 204);
    const refused = async (wrong: object, code: string, ...parameters: string[]) =>
      expectFault(await setup.owner.patch(at(project), wrong), 400, code, parameters);
    await refused({ dayOfWeek: 8 }, 'VALIDATION_ERROR', 'dayOfWeek must be <= 7');
    await refused({ dayOfWeek: -1 }, 'ATTRIBUTE_NEGATIVE_OR_ZERO', 'dayOfWeek');
    await refused({ dayOfWeek: 0, hourOfDay: 5 }, 'ATTRIBUTE_NEGATIVE_OR_ZERO', 'dayOfWeek');
    await refused({ dayOfWeek: 0, autoDeferOnceEnabled: true }, 'PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED');
    const whole = { startHourOfDay: 1, endHourOfDay: 0 };
    await refused({ dayOfWeek: 1, protectedHours: whole }, 'INVALID_ATTRIBUTE', 'protectedHours');
    const half = { startHourOfDay: 1 };
    await refused({ dayOfWeek: 1, protectedHours: half }, 'MISSING_ATTRIBUTE', 'protectedHours.endHourOfDay');
    const held = { startHourOfDay: 0, endHourOfDay: 3 };
    await refused(
      { dayOfWeek: 1, hourOfDay: 2, protectedHours: held },
      'INVALID_ATTRIBUTE',
      'protectedHours',
    );
    await refused({ dayOfWeek: 1, numberOfDeferrals: 1 }, 'ATTRIBUTE_READ_ONLY', 'numberOfDeferrals');
    assert.equal((await setup.owner.post(`${at(project)}/defer`, undefined)).status, 400);
  });
});
