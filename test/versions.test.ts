import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectFault, expectStatus } from './support/expect.ts';
import { onOneSetup, onSetup, type Setup } from './support/setups.ts';
import { clusterBody, idIn, idle, newCluster, newProject } from './support/stage.ts';

const dated = (date: string) => `application/vnd.service.${date}+json`;

/** Ways to request a version of an operation that exists in all versions, each with the version of the response. */
const asked: readonly [accept: string, answers: string][] = [
  [dated('2023-01-01'), '2023-01-01'],
  [dated('2023-02-01'), '2023-01-01'],
  [dated('2024-08-05'), '2023-01-01'],
  [dated('2025-03-11'), '2023-01-01'],
  [dated('2025-03-12'), '2025-03-12'],
  [dated('2025-06-30'), '2025-03-12'],
  [`text/html, ${dated('2023-01-01')};q=0.5`, '2023-01-01'],
  [`${dated('2023-01-01')};q=0.1, ${dated('2025-03-12')};q=0.9`, '2025-03-12'],
  ['', '2025-03-12'],
  ['*/*', '2025-03-12'],
  ['application/*', '2025-03-12'],
  ['application/json', '2025-03-12'],
  ['text/html, */*;q=0.1', '2025-03-12'],
];

const impossible = [
  dated('2022-12-31'),
  dated('2999-01-01'),
  dated('2025-02-30'),
  dated('yesterday'),
  dated('2025-3-12'),
  dated('preview'),
];

const contentType = (date: string) => `application/vnd.service.${date}+json;charset=utf-8`;

async function expectVersions(setup: Setup, cases: readonly [string, string][]): Promise<void> {
  for (const [accept, answers] of cases) {
    const reply = await setup.owner.get(`/groups/${setup.bootstrap.groupId}`, { accept });
    expectStatus(reply, 200);
    assert.equal(reply.headers.get('content-type'), contentType(answers), accept);
  }
}

onOneSetup('PostgreSQL, two instances', 'versions', (setup) => {
  test('the date in Accept selects the newest version that is not later', () => expectVersions(setup, asked));

  test('an unknown version date is rejected, also for an unknown resource', async () => {
    for (const accept of impossible) {
      for (const path of ['/', '/groups/x', '/groups']) {
        expectFault(await setup.owner.get(path, { accept }), 406, 'INVALID_VERSION_DATE');
      }
    }
    expectFault(await setup.owner.get('/', { accept: 'text/html' }), 406, 'UNEXPECTED_ERROR');
    expectFault(await setup.owner.get('/api/service/v1.0', { accept: 'text/html' }), 406, 'UNEXPECTED_ERROR');
  });

  test('v1.0 returns plain JSON for any supported Accept header', async () => {
    for (const accept of ['', '*/*', 'application/json', dated('2025-03-12')]) {
      const reply = await setup.owner.get('/api/service/v1.0/groups', { accept });
      expectStatus(reply, 200);
      assert.equal(reply.headers.get('content-type'), 'application/json');
      assert.equal(reply.headers.get('deprecation'), null);
    }
  });

  test('v1.0 cannot change the retention of a snapshot', async () => {
    const path = `/groups/${idIn(await newProject(setup))}/clusters/none/backup/snapshots/${'f'.repeat(24)}`;
    const body = { retentionUnit: 'DAYS', retentionValue: 1 };
    const legacy = await setup.owner.patch(`/api/service/v1.0${path}`, body);
    expectFault(legacy, 405, 'UNEXPECTED_ERROR');
    assert.ok(!legacy.headers.get('allow')?.includes('PATCH'));
    const accept = 'application/vnd.service.2023-01-01+json';
    expectFault(await setup.owner.patch(path, body, { accept }), 404, 'CLUSTER_NOT_FOUND', [
      'none',
      path.split('/')[2] ?? '',
    ]);
  });

  test('a cluster has the same shape in the oldest version, in the newest and in v1.0', async () => {
    const project = await newProject(setup);
    const accept = dated('2023-01-01');
    const created = await setup.owner.post(`${project}/clusters`, clusterBody('aged'), { accept });
    expectStatus(created, 201);
    const path = `${project}/clusters/aged`;
    const { links: _, ...newest } = (await idle(setup.owner, path)) as unknown as Record<string, unknown>;
    for (const [at, type] of [
      [path, contentType('2023-01-01')],
      [`/api/service/v1.0${path}`, 'application/json'],
    ] as const) {
      const reply = await setup.owner.get(at, at === path ? { accept } : {});
      const { links: _links, ...older } = expectStatus(reply, 200);
      assert.deepEqual(older, newest);
      assert.equal(reply.headers.get('content-type'), type);
      assert.equal(reply.headers.get('deprecation'), null);
    }
  });

  test('each operation resolves a date by its own versions', async () => {
    const project = await newProject(setup);
    const path = await newCluster(setup, project, 'aged');
    const accept = dated('2024-12-31');
    for (const [version, reply] of [
      ['2024-08-05', await setup.owner.get(`${project}/clusters`, { accept })],
      ['2024-08-05', await setup.owner.get(path, { accept })],
      ['2024-10-23', await setup.owner.patch(path, { tags: [] }, { accept })],
    ] as const) {
      expectStatus(reply, 200);
      assert.equal(reply.headers.get('content-type'), contentType(version));
    }
    const deleted = await setup.owner.delete(path, { accept: dated('2024-08-05') });
    expectStatus(deleted, 202);
    assert.equal(deleted.headers.get('content-type'), contentType('2023-02-01'));
  });
});

onSetup(
  'SQLite, one instance',
  'strict versions',
  (setup) => {
    test('v2 requires a version', async () => {
      for (const accept of ['', '*/*', 'application/json', 'text/html']) {
        expectFault(await setup.owner.get('/groups', { accept }), 406, 'INVALID_VERSION_DATE');
      }
      await expectVersions(
        setup,
        asked.filter(([accept]) => accept.includes('vnd')),
      );
      expectStatus(await setup.owner.get('/api/service/v1.0/groups'), 200);
    });
  },
  { settings: { 'strict-versions': true } },
);
