import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { allowAccess, driverFor } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { clusterBody, idIn, newCluster, newProject } from './support/stage.ts';

interface Line {
  readonly t?: { readonly $date: string };
  readonly ts?: { readonly $date: string };
  readonly msg?: string;
  readonly atype?: string;
  readonly attr?: { readonly remote?: string };
}

const GZIP = 'application/vnd.service.2023-02-01+gzip';
const shared = {
  providerSettings: {
    providerName: 'TENANT',
    backingProviderName: 'AWS',
    instanceSizeName: 'M0',
    regionName: 'US_EAST_1',
  },
};
const sharded = {
  clusterType: 'SHARDED',
  numShards: 1,
  providerSettings: { providerName: 'AWS', instanceSizeName: 'M30', regionName: 'US_EAST_1' },
};

onOneSetup('SQLite, one instance', 'logs of hosts', (setup) => {
  const pathOf = (project: string, host: string, log: string) =>
    `${project}/clusters/${encodeURIComponent(host)}/logs/${log}.gz`;

  async function linesOf(path: string): Promise<Line[]> {
    const reply = await setup.owner.get(path, { accept: GZIP });
    assert.equal(reply.status, 200, reply.text);
    const text = gunzipSync(reply.bytes).toString();
    assert.ok(text === '' || text.endsWith('\n'));
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  const timeOf = (line: Line) => Date.parse(line.t?.$date ?? line.ts?.$date ?? '');

  /** Returns the addresses of nodes, by their id in monitoring. */
  const hostsOf = async (project: string, kind: RegExp) => {
    const { results } = expectStatus<{ results: { id: string; typeName: string }[] }>(
      await setup.owner.get(`${project}/processes`),
      200,
    );
    return results.filter(({ typeName }) => kind.test(typeName)).map(({ id }) => id);
  };

  test('logs are read by host, name and time as a gzip stream', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'written');
    const began = Math.floor(Date.now() / 1000) - 5;
    await allowAccess(setup, project, cluster);
    await (await driverFor(setup, cluster)).close();
    const all = pathOf(project, '127.0.0.1', 'db');
    const lines = await until(
      'a login',
      () => linesOf(all),
      (found) => found.some(({ msg }) => msg === 'Authentication succeeded'),
    );
    // The host has three nodes. The log contains all their lines, sorted by time.
    assert.equal(lines.filter(({ msg }) => msg === 'Server starting').length, 3);
    const times = lines.map(timeOf);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    const [primary = ''] = await hostsOf(project, /PRIMARY/);
    const own = await linesOf(pathOf(project, primary, 'mongodb'));
    assert.equal(own.filter(({ msg }) => msg === 'Server starting').length, 1);
    // Read this log after the other one, since nodes continue to write.
    const texts = new Set((await linesOf(all)).map((line) => JSON.stringify(line)));
    assert.ok(own.every((line) => texts.has(JSON.stringify(line))));
    assert.deepEqual(await linesOf(`${all}?startDate=${began + 86_400}&endDate=${began + 86_401}`), []);
    assert.deepEqual(await linesOf(`${all}?endDate=${began - 86_400}`), []);
    const logins = lines.filter(({ msg }) => msg === 'Authentication succeeded');
    const second = Math.floor(timeOf(logins[0] ?? {}) / 1000);
    const then = await linesOf(`${all}?startDate=${second}&endDate=${second}`);
    assert.ok(then.length > 0 && then.every((line) => Math.floor(timeOf(line) / 1000) === second));
    // Both logs are empty, since a replica set has no routers and auditing is off.
    assert.deepEqual(await linesOf(pathOf(project, '127.0.0.1', 'mongos')), []);
    assert.deepEqual(await linesOf(pathOf(project, primary, 'db-audit-log')), []);
  });

  test('audits and routers have logs of their own', async () => {
    const project = await newProject(setup);
    const audit = { enabled: true, auditFilter: '{"atype": "createCollection"}' };
    expectStatus(await setup.owner.patch(`${project}/auditLog`, audit), 200);
    const cluster = await newCluster(setup, project, 'routed', sharded);
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster);
    await driver.db('harbour').createCollection('ships');
    await driver.close();
    const messages = await until(
      'a message',
      () => linesOf(pathOf(project, '127.0.0.1', 'mongos-audit-log')),
      (found) => found.length > 0,
    );
    assert.deepEqual(
      messages.map(({ atype }) => atype),
      ['createCollection'],
    );
    const routers = await hostsOf(project, /MONGOS/);
    assert.ok(routers.length > 0);
    const logins = await Promise.all(
      routers.map(async (router) => (await linesOf(pathOf(project, router, 'mongos'))).length),
    );
    assert.ok(logins.every((count) => count > 0));
    assert.deepEqual(await linesOf(pathOf(project, routers[0] ?? '', 'db')), []);
  });

  test('a log is served for gzip and general Accept headers, and without a body for HEAD', async () => {
    const project = await newProject(setup);
    await newCluster(setup, project, 'asked');
    const path = pathOf(project, '127.0.0.1', 'mongodb-audit-log');
    for (const [accept, version] of [
      [GZIP, '2023-02-01'],
      ['application/vnd.service.2024-08-05+gzip', '2023-02-01'],
      ['application/vnd.service.2025-03-12+gzip', '2025-03-12'],
      ['application/vnd.service.2025-03-12+json', '2025-03-12'],
      ['application/gzip', '2025-03-12'],
      ['*/*', '2025-03-12'],
      ['', '2025-03-12'],
    ] as const) {
      const reply = await setup.owner.get(path, { accept });
      assert.equal(reply.status, 200, accept);
      assert.equal(reply.headers.get('content-type'), `application/vnd.service.${version}+gzip`);
    }
    const head = await setup.owner.send('HEAD', path, undefined, { accept: GZIP });
    assert.deepEqual([head.status, head.bytes.length], [200, 0]);
    const wrong = await setup.owner.get(path, { accept: 'text/html' });
    assert.equal(wrong.status, 406);
    // Other responses are not available in compressed form.
    const accept = 'application/vnd.service.2025-03-12+gzip';
    assert.equal((await setup.owner.get(project, { accept })).status, 406);
  });

  test('rejects unreadable logs by name', async () => {
    const project = await newProject(setup);
    const refused = async (path: string, status: number, code: string, parameters: unknown[]) =>
      expectFault(await setup.owner.get(path, { accept: GZIP }), status, code, parameters);
    await refused(pathOf(project, 'elsewhere', 'db'), 404, 'HOST_NOT_FOUND', ['elsewhere', idIn(project)]);
    expectStatus(await setup.owner.post(`${project}/clusters`, clusterBody('free', shared)), 201);
    await until(
      'its node',
      () => setup.owner.get(pathOf(project, '127.0.0.1', 'db')),
      (reply) => reply.json().errorCode !== 'HOST_NOT_FOUND',
    );
    await refused(pathOf(project, '127.0.0.1', 'db'), 400, 'INSUFFICIENT_INSTANCE_SIZE', ['M10']);
    await newCluster(setup, project, 'ruled');
    const path = pathOf(project, '127.0.0.1', 'db');
    await refused(pathOf(project, '127.0.0.1', 'cellar'), 400, 'INVALID_PATH_PARAMETER', ['logName']);
    await refused(`${path}?startDate=1700000001&endDate=1700000000`, 400, 'INVALID_DATE_RANGE', [
      '2023-11-14T22:13:21.000Z',
      '2023-11-14T22:13:20.000Z',
    ]);
    assert.equal((await setup.owner.get(`${path}?startDate=1`)).status, 400);
  });
});
