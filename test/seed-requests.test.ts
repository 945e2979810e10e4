import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bearer } from './support/client.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { own } from './support/setups.ts';
import { type ListDocument, uniqueName } from './support/stage.ts';

interface AppliedSeed {
  readonly status: string;
  readonly origin?: string;
  readonly problem?: string;
  readonly results?: readonly { place: string; created: number; existing: number }[];
  readonly seed?: unknown;
}

const PATH = '/operator/v1/seed';
const PASSWORD = 'a compass and a chart';

own.onOneSetup('SQLite, one instance', 'seeds over HTTP', (setup) => {
  /** Returns a client of one instance. Each instance knows only the seeds that it has applied itself. */
  const operator = () => setup.clientAt(0, bearer(setup.bootstrap.operatorToken));
  const read = async () => expectStatus<AppliedSeed>(await operator().get(PATH), 200);

  /** Applies a seed, and returns the result when the service has finished. */
  async function apply(seed: object): Promise<AppliedSeed> {
    const begun = expectStatus<AppliedSeed>(await operator().post(PATH, { seed }), 202);
    assert.deepEqual([begun.status, begun.origin], ['APPLYING', 'REQUEST']);
    return until('the end of the seed', read, ({ status }) => status !== 'APPLYING');
  }

  /** Returns the number of created and existing resources or documents, by position. */
  const counts = ({ results = [] }: AppliedSeed) =>
    Object.fromEntries(results.map(({ place, created, existing }) => [place, [created, existing]]));

  test('create what is missing, and say what they created', async () => {
    assert.deepEqual(await read(), { status: 'NONE' });
    const name = uniqueName('harbour');
    const username = `${uniqueName('ada')}@example.org`;
    setup.keepOutOfLogs(PASSWORD);
    const person = { username, password: PASSWORD, firstName: 'Ada', lastName: 'Ahoy', country: 'SE' };
    const documents = [{ _id: 1, name: 'Anna' }, { name: 'Bella' }];
    const seed = {
      users: [{ ...person, mobileNumber: '555 0100', roles: ['ORG_OWNER'] }],
      teams: [{ name: 'Crew', usernames: [username] }],
      apiKeys: [{ desc: 'reader', roles: ['ORG_READ_ONLY'] }],
      projects: [
        {
          name,
          users: [{ username, roles: ['GROUP_READ_ONLY'] }],
          teams: [{ name: 'Crew', roleNames: ['GROUP_OWNER'] }],
          accessList: [{ ipAddress: '192.0.2.1', comment: 'pier' }, { cidrBlock: '198.51.100.0/24' }],
          databaseUsers: [
            { username: 'sailor', password: PASSWORD, roles: [{ roleName: 'read', databaseName: 'admin' }] },
          ],
          clusters: [{ name: 'quay', data: [{ database: 'harbour', collection: 'ships', documents }] }],
        },
      ],
    };
    const project = 'projects[0]';
    const single = [
      ...['users[0]', 'teams[0]', 'apiKeys[0]', project, `${project}.users[0]`, `${project}.teams[0]`],
      ...[`${project}.accessList[0]`, `${project}.accessList[1]`, `${project}.databaseUsers[0]`],
      `${project}.clusters[0]`,
    ];
    const all = (each: readonly number[], data: readonly number[]) => ({
      ...Object.fromEntries(single.map((place) => [place, each])),
      [`${project}.clusters[0].data[0]`]: data,
    });
    const first = await apply(seed);
    assert.deepEqual([first.status, first.problem], ['APPLIED', undefined]);
    assert.deepEqual(counts(first), all([1, 0], [2, 0]));
    const shown = JSON.stringify(first.seed);
    assert.ok(!shown.includes(PASSWORD) && !shown.includes('Bella') && shown.includes(username), shown);

    const { id } = expectStatus<{ id: string }>(await setup.owner.get(`/groups/byName/${name}`), 200);
    const comment = [{ ipAddress: '192.0.2.1', comment: 'quay' }];
    expectStatus(await setup.owner.post(`/groups/${id}/accessList`, comment), 201);
    assert.deepEqual(counts(await apply(seed)), all([0, 1], [0, 2]));
    const entries = await setup.owner.get(`/groups/${id}/accessList`);
    const { results } = expectStatus<ListDocument<{ ipAddress?: string; comment?: string }>>(entries, 200);
    assert.equal(results.find(({ ipAddress }) => ipAddress === '192.0.2.1')?.comment, 'quay');

    documents.push({ name: 'Clara' });
    const grown = counts(await apply(seed));
    assert.deepEqual(grown[`${project}.clusters[0].data[0]`], [1, 2]);
  });

  test('say at which position they failed, and what they created before', async () => {
    const name = uniqueName('harbour');
    const failed = await apply({ projects: [{ name }, { name: 'x', clusters: [{ name: 'a b' }] }] });
    assert.equal(failed.status, 'FAILED');
    assert.match(failed.problem ?? '', /^projects\[1\]\.clusters\[0\]: /);
    assert.deepEqual(counts(failed), { 'projects[0]': [1, 0], 'projects[1]': [1, 0] });
  });

  test('are rejected if they are invalid or name files of the machine', async () => {
    const before = await read();
    const post = (seed: object) => operator().post(PATH, { seed });
    const data = [{ database: 'a', collection: 'b', file: '/etc/passwd' }];
    const place = 'projects[0].clusters[0].data[0].file';
    const file = await post({ projects: [{ name: 'a', clusters: [{ name: 'b', data }] }] });
    expectFault(file, 400, 'SEED_INVALID', [`${place} is allowed only in seed files`]);
    const unknown = await post({ harbours: [] });
    assert.deepEqual([unknown.status, unknown.headers.get('x-error-code')], [400, 'SEED_INVALID']);
    assert.deepEqual(await read(), before);
  });

  test('are reserved to the operator', async () => {
    expectFault(await setup.owner.get(PATH), 401, 'UNAUTHORIZED');
    expectFault(await setup.owner.post(PATH, { seed: {} }), 401, 'UNAUTHORIZED');
  });
});
