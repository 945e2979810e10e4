import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOneSetup } from './support/setups.ts';
import { newProject } from './support/stage.ts';

/** Tests which versions of operations the vendor's form has, and until when they are supported. */

onOneSetup('SQLite, one instance', "versions of the vendor's form", (setup) => {
  const get = (path: string, version: string) =>
    setup.owner.send('GET', `/api/atlas/v2${path}`, undefined, {
      accept: `application/vnd.atlas.${version}+json`,
    });
  const dates = async (path: string, version: string) => {
    const { headers } = await get(path, version);
    return [headers.get('deprecation'), headers.get('sunset')];
  };

  test('versions are deprecated and supported as recorded responses and documents of the vendor say', async () => {
    const project = await newProject(setup);
    const sunset = 'Thu, 1 Jul 2027 00:00:00 GMT';
    const spring = 'Mon, 5 Aug 2024 00:00:00 GMT';
    const expected: [string, string, (string | null)[]][] = [
      [`${project}/clusters`, '2023-02-01', [spring, sunset]],
      [`${project}/clusters`, '2024-08-05', [null, null]],
      [`${project}/clusters/quay/backup/schedule`, '2023-01-01', [spring, sunset]],
      [`${project}/backupCompliancePolicy`, '2023-01-01', ['Sun, 1 Oct 2023 00:00:00 GMT', sunset]],
      [`${project}/invites`, '2025-03-12', ['Wed, 4 Oct 2023 00:00:00 GMT', sunset]],
      [`${project}/serverless`, '2023-01-01', [null, 'Mon, 18 Jan 2027 00:00:00 GMT']],
      [
        `${project}/clusters/quay/autoScalingConfiguration`,
        '2024-08-05',
        ['Wed, 23 Oct 2024 00:00:00 GMT', null],
      ],
    ];
    for (const [path, version, wanted] of expected)
      assert.deepEqual(await dates(path, version), wanted, `${path} ${version}`);
    const answer = await setup.owner.send('GET', `/api/service/v2${project}/clusters`, undefined, {
      accept: 'application/vnd.service.2023-02-01+json',
    });
    assert.equal(answer.headers.get('sunset'), 'Tue, 5 Aug 2025 00:00:00 GMT', 'the neutral form');
  });

  test('the documents name the headers of each version', async () => {
    const url = '/api/atlas/openapi/2023-02-01.json';
    const document = (await setup.owner.send('GET', url)).json() as {
      paths: Record<string, Record<string, { deprecated?: boolean; responses: Record<string, object> }>>;
    };
    const described = (path: string) => {
      const operation = document.paths[`/api/atlas/v2/groups/{groupId}${path}`]?.get;
      const [success] = Object.values(operation?.responses ?? {});
      return [operation?.deprecated, Object.keys((success as { headers?: object })?.headers ?? {})];
    };
    assert.deepEqual(described('/clusters'), [true, ['Deprecation', 'Sunset']]);
    assert.deepEqual(described('/serverless'), [true, ['Sunset']]);
    assert.deepEqual(described('/databaseUsers'), [undefined, []]);
  });

  test('a user can be removed from an organization with the first version', async () => {
    const { orgId } = setup.bootstrap;
    const path = `/api/atlas/v2/orgs/${orgId}/users/${'0'.repeat(24)}`;
    const accept = 'application/vnd.atlas.2023-01-01+json';
    const reply = await setup.owner.send('DELETE', path, undefined, { accept });
    assert.deepEqual([reply.status, reply.json().errorCode], [404, 'USER_NOT_FOUND']);
  });
});
