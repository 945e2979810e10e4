import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer, digest } from './support/client.ts';
import { allowAccess, driverFor, expectRefused, newUser, openLine, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until, withinMinute } from './support/expect.ts';
import { runCommand } from './support/service.ts';
import { own } from './support/setups.ts';
import { applied, idIn, idle, type ListDocument, newCluster, newProject } from './support/stage.ts';

interface ClockDocument {
  readonly now: string;
  readonly frozen: boolean;
  readonly rate: number;
}

const HOUR_S = 3600;

/** A statement that would run longer than any timeout. */
const many = { $range: [0, 20_000] };
const endlessly = {
  $expr: {
    $gt: [0, { $sum: { $map: { input: many, in: { $sum: { $map: { input: many, in: '$$this' } } } } } }],
  },
};

own.onOneSetup('PostgreSQL, two instances', 'service time', (setup) => {
  const clock = '/operator/v1/clock';
  /** Moves the clock forward, and waits until every instance has noticed. */
  async function change(body: object): Promise<ClockDocument> {
    const changed = expectStatus<ClockDocument>(await setup.operator.patch(clock, body), 200);
    await everyInstance(
      ({ now, rate }) => rate === changed.rate && Date.parse(now) >= Date.parse(changed.now),
    );
    return changed;
  }
  const secondsBetween = (a: ClockDocument, b: ClockDocument) =>
    (Date.parse(b.now) - Date.parse(a.now)) / 1000;

  /** Waits until every instance has noticed the change, which takes up to a second. */
  async function everyInstance(fits: (read: ClockDocument) => boolean): Promise<void> {
    const read = async () => expectStatus<ClockDocument>(await setup.operator.get(clock), 200);
    await until(
      'the same clock at every instance',
      async () => [await read(), await read()],
      (clocks) => clocks.every(fits),
    );
  }

  test('is frozen, advanced and scaled by the operator', async () => {
    const frozen = await change({ frozen: true });
    assert.equal(frozen.frozen, true);
    const project = await newProject(setup);
    const created = async (path: string) => expectStatus(await setup.owner.get(path), 200).created;
    assert.equal(await created(project), frozen.now);
    const moved = await change({ advanceSeconds: 30 * 24 * HOUR_S });
    assert.equal(secondsBetween(frozen, moved), 30 * 24 * HOUR_S);
    assert.equal(await created(await newProject(setup)), moved.now);
    // The lifetime of credentials is measured by machine time.
    expectStatus(await setup.account.get('/'), 200);
    const fast = await change({ frozen: false, rate: 3600 });
    assert.deepEqual([fast.frozen, fast.rate], [false, 3600]);
    await everyInstance((now) => secondsBetween(fast, now) > 60);
    const slow = await change({ rate: 1 });
    assert.ok(secondsBetween(fast, slow) > 60);
  });

  test('rejects invalid changes', async () => {
    expectFault(await setup.operator.patch(clock, { advanceSeconds: -1 }), 400, 'ATTRIBUTE_NEGATIVE', [
      'advanceSeconds',
    ]);
    expectFault(await setup.operator.patch(clock, { now: 'noon' }), 400, 'INVALID_DATE_FORMAT', ['noon']);
    expectFault(await setup.operator.patch(clock, { speed: 2 }), 400, 'INVALID_ATTRIBUTE', ['speed']);
    expectFault(await setup.clientWith(bearer('x')).patch(clock, {}), 401, 'UNAUTHORIZED');
    for (const beyond of [
      { advanceSeconds: 1e13 },
      { advanceSeconds: 1e300 },
      { now: '9999-12-31T23:59:59Z', advanceSeconds: 1 },
    ]) {
      const reply = await setup.operator.patch(clock, beyond);
      assert.equal(expectStatus(reply, 400).errorCode, 'VALIDATION_ERROR');
    }
    const set = await change({ now: '2030-01-02T03:04:05', frozen: true });
    assert.equal(set.now, '2030-01-02T03:04:05Z');
    await change({ frozen: false });
  });

  test('removes a temporary address, and closes connections from it', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'open');
    await newUser(setup, project, SAILOR.username);
    const { now } = await change({});
    const deleteAfterDate = new Date(Date.parse(now) + HOUR_S * 1000).toISOString();
    const entry = { ipAddress: '127.0.0.1', deleteAfterDate };
    expectStatus(await setup.owner.post(`${project}/accessList`, [entry]), 201);
    await applied(setup.owner, cluster);
    const driver = await driverFor(setup, cluster);
    await driver.db('harbour').collection('ports').insertOne({});
    await driver.close();
    const document = await idle(setup.owner, cluster);
    const line = await openLine(document);
    await change({ advanceSeconds: HOUR_S + 1 });
    await until(
      'the end of the entry',
      () => setup.owner.get(`${project}/accessList/127.0.0.1`),
      ({ status }) => status === 404,
    );
    await applied(setup.owner, cluster);
    await line.ended;
    await expectRefused(document.connectionStrings.standard);
    const events = await setup.owner.get(`${project}/events?eventType=NETWORK_PERMISSION_ENTRY_REMOVED`);
    const [removed] = expectStatus<ListDocument>(events, 200).results;
    assert.deepEqual([removed?.accessListEntry, removed?.publicKey], ['127.0.0.1', undefined]);
  });

  test('removes a temporary user with its privileges', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'crew');
    await allowAccess(setup, project, cluster);
    const { now } = await change({});
    const inHours = (hours: number) => new Date(Date.parse(now) + hours * HOUR_S * 1000).toISOString();
    await newUser(setup, project, 'guest', { deleteAfterDate: inHours(1) });
    await newUser(setup, project, 'longer', { deleteAfterDate: inHours(1) });
    const longer = `${project}/databaseUsers/admin/longer`;
    expectStatus(await setup.owner.patch(longer, { deleteAfterDate: inHours(3) }), 200);
    await applied(setup.owner, cluster);
    const auth = { username: 'guest', password: SAILOR.password };
    const driver = await driverFor(setup, cluster, { auth });
    t.after(() => driver.close());
    const ports = driver.db('harbour').collection('ports');
    await ports.insertOne({});
    await change({ advanceSeconds: HOUR_S + 1 });
    await until(
      'the end of the user',
      () => setup.owner.get(`${project}/databaseUsers/admin/guest`),
      ({ status }) => status === 404,
    );
    await applied(setup.owner, cluster);
    await assert.rejects(ports.findOne({}), { code: 13 });
    await assert.rejects(driverFor(setup, cluster, { auth }), { code: 18 });
    expectStatus(await setup.owner.get(longer), 200);
    await change({ advanceSeconds: 2 * HOUR_S });
    await until(
      'the end of the other user',
      () => setup.owner.get(longer),
      ({ status }) => status === 404,
    );
    const { totalCount } = expectStatus<ListDocument>(await setup.owner.get(`${project}/databaseUsers`), 200);
    assert.equal(totalCount, 1);
  });

  test('reports how long a cluster has run since it was paused', async () => {
    const path = await newCluster(setup, await newProject(setup), 'rested');
    for (const paused of [true, false]) {
      expectStatus(await setup.owner.patch(path, { paused }), 200);
      await idle(setup.owner, path);
    }
    const refused = await setup.owner.patch(path, { paused: true });
    expectFault(refused, 400, 'CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER', [60]);
    await change({ advanceSeconds: HOUR_S + 1 });
    await until(
      'a second pause',
      () => setup.owner.patch(path, { paused: true }),
      ({ status }) => status === 200,
    );
    assert.equal((await idle(setup.owner, path)).paused, true);
  });

  test('dates and expiry inside databases follow it', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'tides');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    const tides = driver.db('harbour').collection<{ _id: number; at?: Date }>('tides');
    await tides.createIndex({ at: 1 }, { expireAfterSeconds: HOUR_S });
    const { now } = await change({ advanceSeconds: 30 * 24 * HOUR_S });
    await tides.insertOne({ _id: 1, at: new Date(now) });
    const seconds = async () => {
      await tides.updateOne({ _id: 2 }, { $currentDate: { at: true } }, { upsert: true });
      const [made] = await tides.find({ _id: 2 }).toArray();
      const { operationTime } = await driver.db('harbour').command({ ping: 1 });
      return [Math.floor(Number(made?.at) / 1000), operationTime.getHighBits()];
    };
    const about = Math.floor(Date.parse(now) / 1000);
    const read = await seconds();
    const last = expectStatus<ClockDocument>(await setup.operator.get(clock), 200).now;
    for (const one of read)
      assert.ok(one >= about && one <= Date.parse(last) / 1000 + 1, `${one} between ${now} and ${last}`);
    await tides.deleteOne({ _id: 2 });
    assert.equal(await tides.countDocuments(), 1);
    await change({ advanceSeconds: HOUR_S + 1 });
    await until(
      'the end of what is an hour old',
      () => tides.countDocuments(),
      (count) => count === 0,
    );
    await driver.close();
  });

  test('leases and timeouts do not follow it', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'steady');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    // The limit of failed attempts follows machine time: five failures still count after a year of service time.
    const { moved, refused } = await withinMinute(async (count) => {
      const wrong = { ...setup.bootstrap, publicKey: `zzzzzzz${'abcdefgh'.at(count % 8)}` };
      for (let attempt = 0; attempt < 5; attempt++) await setup.clientWith(digest(wrong)).get('/');
      const frozen = await change({ frozen: true, advanceSeconds: 400 * 24 * HOUR_S });
      return { moved: frozen, refused: await setup.clientWith(digest(wrong)).get('/') };
    });
    assert.equal(refused.status, 429);
    // Nonces, tokens and certificates follow machine time: nonces and tokens from before are still valid, and new
    // connections accept the certificates.
    expectStatus(await setup.owner.get('/'), 200);
    expectStatus(await setup.account.get('/'), 200);
    // The timeout of a statement follows machine time: it ends the statement while service time is frozen.
    const endless = driver.db('harbour').aggregate([{ $documents: [{}] }, { $match: endlessly }]);
    await assert.rejects(endless.maxTimeMS(50).toArray(), { code: 50 });
    await driver.close();
    // Leases and delays of tasks follow machine time: tasks run and end.
    await newCluster(setup, project, 'made-in-no-time');
    const read = expectStatus<ClockDocument>(await setup.operator.get(clock), 200);
    assert.equal(read.now, moved.now);
    await change({ frozen: false });
  });

  test('continues after a restart', async () => {
    const frozen = await change({ now: '2035-06-07T08:09:10Z', frozen: true });
    await setup.stop();
    await setup.start();
    await everyInstance((read) => read.now === frozen.now && read.frozen);
    const project = await newProject(setup);
    assert.equal(expectStatus(await setup.owner.get(project), 200).created, frozen.now);
    assert.equal(Number.parseInt(idIn(project).slice(0, 8), 16) * 1000, Date.parse(frozen.now));
    await change({ frozen: false });
  });
});

own.onOneSetup('SQLite, one instance', 'service time by command', (setup) => {
  async function typed(command: string) {
    const [instance] = setup.instances;
    assert.ok(instance);
    return runCommand(command, { 'data-dir': instance.dataDirectory });
  }
  const outputOf = async (command: string) => (await typed(command)).out;

  test('can be read, frozen, advanced and scaled', async () => {
    assert.match(await outputOf('clock now'), /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ rate 1\n$/);
    assert.equal(await outputOf('clock freeze 2031-02-03T04:05:06Z'), '2031-02-03T04:05:06Z frozen\n');
    assert.equal(await outputOf('clock advance 3d'), '2031-02-06T04:05:06Z frozen\n');
    const clock = expectStatus<ClockDocument>(await setup.operator.get('/operator/v1/clock'), 200);
    assert.deepEqual(clock, { frozen: true, now: '2031-02-06T04:05:06Z', rate: 0 });
    assert.match(await outputOf('clock scale 60'), /^2031-02-06T04:\d\d:\d\dZ rate 60\n$/);
    assert.match(await outputOf('clock scale 1'), /^2031-02-06T0\d:\d\d:\d\dZ rate 1\n$/);
  });

  test('rejects invalid requests in one sentence', async () => {
    const sentences: Record<string, RegExp> = {
      clock: /^portolan: portolan clock takes one of now, freeze, advance, scale; see portolan help$/m,
      'clock advance soon':
        /^portolan: advance takes a duration such as 90s, 15m, 2h, 3d or 1w, but got soon$/m,
      'clock scale': /^portolan: scale takes RATE, but got 0 arguments$/m,
      'clock freeze noon': /^portolan: The service rejected the request: .*noon/m,
    };
    for (const [command, sentence] of Object.entries(sentences)) {
      const { code, err } = await typed(command);
      assert.equal(code, 1);
      assert.match(err, sentence);
    }
    const nobody = await runCommand('clock now', { 'data-dir': `${setup.instances[0]?.dataDirectory}/none` });
    assert.match(nobody.err, /^portolan: No service runs on the data directory /);
  });
});

own.onOneSetup('SQLite, one instance', 'service time in the last hour of the year 9999', (setup) => {
  test('permits requests and writes to clusters', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'late');
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    const things = driver.db('harbour').collection('things');
    const last = '9999-12-31T23:00:00Z';
    expectStatus(await setup.operator.patch('/operator/v1/clock', { now: last, frozen: true }), 200);
    const invitation = { username: 'ada@example.test', roles: ['ORG_MEMBER'] };
    const invited = await setup.owner.post(`/orgs/${setup.bootstrap.orgId}/invites`, invitation);
    const { createdAt, expiresAt } = expectStatus(invited, 200);
    assert.deepEqual([createdAt, expiresAt], [last, '9999-12-31T23:59:59Z']);
    for (let _id = 0; _id < 10; _id++) await things.insertOne({ _id } as object);
    await things.updateMany({}, { $currentDate: { at: { $type: 'date' }, ts: { $type: 'timestamp' } } });
    assert.equal(await things.countDocuments({ at: new Date(last) }), 10);
    await driver.close();
    const again = await driverFor(setup, cluster);
    assert.equal(await again.db('harbour').collection('things').countDocuments(), 10);
    await again.close();
  });
});
