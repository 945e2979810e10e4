import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { allowAccess, driverFor, LONG_TIMEOUTS, SAILOR } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { pathsBelow } from './support/folders.ts';
import { onOneSetup } from './support/setups.ts';
import {
  type ClusterDocument,
  clusterBody,
  idIn,
  idle,
  linksTo,
  newCluster,
  newProject,
  withoutOrigins,
} from './support/stage.ts';
import { eventTypes } from './support/users.ts';

interface AccessLog {
  readonly authResult: boolean;
  readonly authSource: string;
  readonly failureReason: string | null;
  readonly groupId: string;
  readonly hostname: string;
  readonly ipAddress: string;
  readonly logLine: string;
  readonly timestamp: string;
  readonly username: string;
}

const free = {
  providerSettings: {
    providerName: 'TENANT',
    backingProviderName: 'AWS',
    instanceSizeName: 'M0',
    regionName: 'US_EAST_1',
  },
};

onOneSetup('SQLite, one instance', 'login history and audit logs', (setup) => {
  /** Returns the messages in a cluster's audit logs, by type. */
  const audited = ({ id }: ClusterDocument): string[] => {
    const folders = setup.instances.map(({ dataDirectory }) => join(dataDirectory, 'engine/clusters', id));
    const files = folders.flatMap((folder) =>
      pathsBelow(folder)
        .filter((name) => /audit/.test(name))
        .map((name) => join(folder, name)),
    );
    const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
    return lines
      .filter((line) => line.includes('"atype"'))
      .map((line) => /"atype":"(\w+)"/.exec(line)?.[1] ?? line);
  };

  test('every login to a cluster is listed, with all filters', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'watched');
    await allowAccess(setup, project, cluster);
    const { connectionStrings } = await idle(setup.owner, cluster);
    // Begin a second earlier, since dates in responses have no fractions of a second.
    const begun = Date.now() - 1000;
    await (await driverFor(setup, cluster)).close();
    const wrong = new MongoClient(connectionStrings.standard ?? '', {
      auth: { username: SAILOR.username, password: 'no compass' },
      ...LONG_TIMEOUTS,
    });
    await assert.rejects(wrong.connect(), { code: 18 });
    const path = `${project}/dbAccessHistory`;
    const history = async (query: string) => {
      const reply = await setup.owner.get(`${path}/${query}`);
      return expectStatus<{ accessLogs: AccessLog[] }>(reply, 200).accessLogs;
    };
    const all = await until(
      'both logins',
      () => history('clusters/watched'),
      (logs) => logs.some(({ authResult }) => authResult) && logs.some(({ authResult }) => !authResult),
    );
    const { logLine, timestamp, failureReason, ...failed } =
      all.find(({ authResult }) => !authResult) ?? assert.fail();
    assert.deepEqual(failed, {
      authResult: false,
      authSource: 'admin',
      groupId: idIn(project),
      hostname: '127.0.0.1',
      ipAddress: '127.0.0.1',
      username: SAILOR.username,
    });
    assert.match(failureReason ?? '', /AuthenticationFailed/);
    assert.equal(JSON.parse(logLine).id, 20249);
    assert.ok(begun <= Date.parse(timestamp) && Date.parse(timestamp) <= Date.now(), timestamp);
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const good = await history('clusters/watched?authResult=true');
    assert.ok(good.length > 0 && good.every((log) => log.authResult && log.failureReason === null));
    assert.ok((await history('clusters/watched?authResult=false')).every((log) => !log.authResult));
    assert.equal((await history('clusters/watched?nLogs=1')).length, 1);
    assert.deepEqual(await history('clusters/watched?nLogs=0'), []);
    assert.deepEqual(await history('clusters/watched?ipAddress=192.0.2.1'), []);
    assert.deepEqual(await history('clusters/watched?start=0&end=1'), []);
    const now = Date.now();
    assert.ok(
      (await history(`clusters/watched?start=${now - 3_600_000}&end=${now + 3_600_000}`)).length >= 2,
    );
    assert.deepEqual(await history('processes/127.0.0.1'), await history('clusters/watched'));
    assert.equal((await history('processes/127.0.0.1?nLogs=1')).length, 1);

    const refused = async (query: string, code: string, parameters: unknown[]) =>
      expectFault(await setup.owner.get(`${path}/${query}`), 400, code, parameters);
    await refused('clusters/watched?start=1', 'MISSING_ATTRIBUTE', ['end']);
    await refused('clusters/watched?end=1', 'MISSING_ATTRIBUTE', ['start']);
    await refused('clusters/watched?start=2000&end=1000', 'INVALID_DATE_RANGE', [
      '1970-01-01T00:00:02.000Z',
      '1970-01-01T00:00:01.000Z',
    ]);
    await refused('clusters/watched?ipAddress=here', 'INVALID_QUERY_PARAMETER', ['ipAddress']);
    await refused('clusters/watched?ipAddress=::1', 'INVALID_QUERY_PARAMETER', ['ipAddress']);
    expectFault(await setup.owner.get(`${path}/processes/elsewhere`), 404, 'HOST_NOT_FOUND', [
      'elsewhere',
      idIn(project),
    ]);
    expectFault(await setup.owner.get(`${path}/clusters/none`), 404, 'CLUSTER_NOT_FOUND', [
      'none',
      idIn(project),
    ]);
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('free', free)), 201);
    await refused('clusters/free', 'INSUFFICIENT_INSTANCE_SIZE', ['M10']);
  });

  test("nodes record messages that pass the project's filter", async () => {
    const project = await newProject(setup);
    const path = `${project}/auditLog`;
    const patch = async (body: object) =>
      withoutOrigins(expectStatus(await setup.owner.patch(path, body), 200));
    assert.deepEqual(withoutOrigins(expectStatus(await setup.owner.get(path), 200)), {
      auditAuthorizationSuccess: false,
      configurationType: 'NONE',
      enabled: false,
      links: linksTo(path),
    });
    const cluster = await newCluster(setup, project, 'audited');
    const document = await idle(setup.owner, cluster);
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    try {
      await driver.db('harbour').createCollection('before');
      const auditFilter = '{ "atype": {"$in": ["createCollection", "authCheck"]} }';
      const set = {
        auditAuthorizationSuccess: false,
        auditFilter,
        configurationType: 'FILTER_JSON',
        enabled: true,
        links: linksTo(path),
      };
      assert.deepEqual(await patch({ auditFilter, enabled: true }), set);
      let made = 0;
      await until(
        'a message about a new collection',
        async () => {
          await driver.db('harbour').createCollection(`after${made++}`);
          return audited(document);
        },
        (types) => types.includes('createCollection'),
      );
      assert.deepEqual([...new Set(audited(document))], ['createCollection']);
      // If a request contains no filter, the previous one stays.
      assert.deepEqual(await patch({ auditAuthorizationSuccess: true }), {
        ...set,
        auditAuthorizationSuccess: true,
      });
      await until(
        'a message about what was allowed',
        async () => {
          await driver.db('harbour').collection('before').findOne();
          return audited(document);
        },
        (types) => types.includes('authCheck'),
      );
      assert.deepEqual(await patch({ enabled: false, auditAuthorizationSuccess: false }), {
        ...set,
        enabled: false,
      });
      assert.equal((await idle(setup.owner, cluster)).stateName, 'IDLE');
      const auditEvents = (await eventTypes(setup.owner, project)).filter((type) =>
        type.startsWith('AUDIT_LOG'),
      );
      assert.deepEqual(auditEvents, Array(3).fill('AUDIT_LOG_CONFIGURATION_UPDATED'));
    } finally {
      await driver.close();
    }
  });

  test('rejects invalid filters', async () => {
    const project = await newProject(setup);
    for (const auditFilter of ['', 'atype', '[]', '7', '{"$nothing": 1}', '{"atype": {"$regex": "("}}']) {
      const reply = await setup.owner.patch(`${project}/auditLog`, { auditFilter });
      expectFault(reply, 400, 'INVALID_ATTRIBUTE', ['auditFilter']);
    }
    const range = { $size: { $range: [0, 20_000_000] } };
    const unbounded = { $size: { $range: [0, { $add: [300_000_000, { $strLenCP: '$atype' }] }] } };
    for (const [filter, culprit] of [
      [{ $expr: { $gt: [range, 5] } }, '$expr'],
      [{ $expr: { $gt: [unbounded, 5] } }, '$expr'],
      [{ $or: [{ atype: 'logout' }, { $nor: [{ $expr: { $gt: [range, 5] } }] }] }, '$expr'],
      [{ $where: 'while (true);' }, '$where'],
      [{ $jsonSchema: { required: ['atype'] } }, '$jsonSchema'],
      [{ atype: { $in: Array(1000).fill('logout') } }, 'values'],
      [{ atype: { $regex: 'a{1000}b{1000}' } }, 'patterns'],
    ] as const) {
      const auditFilter = JSON.stringify(filter);
      const [refused, answered] = await Promise.all([
        setup.owner.patch(`${project}/auditLog`, { auditFilter }),
        setup.owner.get(project),
      ]);
      expectFault(refused, 400, 'INVALID_ATTRIBUTE', ['auditFilter']);
      const { detail } = expectStatus<{ detail: string }>(refused, 400);
      assert.ok(detail.includes(culprit), detail);
      expectStatus(answered, 200);
    }
    const reply = await setup.owner.patch(`${project}/auditLog`, { configurationType: 'FILTER_BUILDER' });
    expectFault(reply, 400, 'ATTRIBUTE_READ_ONLY', ['configurationType']);
  });
});
