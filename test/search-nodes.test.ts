import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowAccess, driverFor, LONG_TIMEOUTS } from './support/drivers.ts';
import { expectFault, expectStatus, until } from './support/expect.ts';
import { onOneSetup } from './support/setups.ts';
import { idIn, linksTo, newCluster, newProject, withoutOrigins } from './support/stage.ts';
import { eventTypes } from './support/users.ts';

const FREE = {
  providerSettings: {
    ...{
      providerName: 'TENANT',
      backingProviderName: 'AWS',
      instanceSizeName: 'M0',
      regionName: 'US_EAST_1',
    },
  },
};
const former = { accept: 'application/vnd.service.2024-05-30+json' };
const specs = (nodeCount: number, instanceSize = 'S20_HIGHCPU_NVME') => [{ instanceSize, nodeCount }];

interface Nodes {
  readonly id: string;
  readonly stateName: string;
  readonly specs: unknown;
}

onOneSetup('PostgreSQL, two instances', 'search nodes', (setup) => {
  const inState = async (at: string, state: string) => {
    const reply = await until(
      `search nodes to be ${state}`,
      () => setup.owner.get(at),
      (answer) => answer.json().stateName === state,
    );
    return expectStatus<Nodes>(reply, 200);
  };

  test('are added, changed and removed while searches continue', async (t) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    const at = `${cluster}/search/deployment`;
    await allowAccess(setup, project, cluster);
    const driver = await driverFor(setup, cluster, LONG_TIMEOUTS);
    t.after(() => driver.close());
    const books = driver.db('shop').collection<{ title: string }>('books');
    await books.insertOne({ title: 'A harbour' });
    const indexes = `${cluster}/search/indexes`;
    const index = (name: string, more: object = {}) => ({
      ...{ collectionName: 'books', database: 'shop', name },
      definition: { mappings: { dynamic: true }, ...more },
    });
    expectStatus(await setup.owner.post(indexes, index('default')), 201);
    const ready = (name: string) =>
      until(
        `${name} to be built`,
        () => setup.owner.get(`${indexes}/shop/books/${name}`),
        (answer) => answer.json().status === 'READY',
      );
    await ready('default');
    const found = () =>
      books
        .aggregate<{ title: string }>([{ $search: { text: { query: 'harbour', path: 'title' } } }])
        .map(({ title }) => title)
        .toArray();

    assert.deepEqual(expectStatus(await setup.owner.get(at), 200), {});
    expectFault(await setup.owner.get(at, former), 400, 'PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST', [
      'library',
    ]);
    const { id, ...made } = expectStatus<Nodes>(await setup.owner.post(at, { specs: specs(2) }), 201);
    const region = { cloudProvider: 'AWS', regionName: 'US_EAST_1' };
    assert.deepEqual(withoutOrigins(made), {
      effectiveSpecs: [{ ...region, ...specs(2)[0] }],
      encryptionAtRestProvider: 'NONE',
      groupId: idIn(project),
      links: linksTo(at),
      specs: specs(2),
      stateName: 'UPDATING',
    });
    expectFault(
      await setup.owner.post(at, { specs: specs(2) }),
      409,
      'PLATFORM_FTS_DEPLOYMENT_ALREADY_EXISTS',
      ['library'],
    );
    const built = withoutOrigins({ id, ...made, stateName: 'IDLE' });
    assert.deepEqual(withoutOrigins(await inState(at, 'IDLE')), built);
    assert.deepEqual(withoutOrigins(expectStatus(await setup.owner.get(at, former), 200)), built);
    assert.deepEqual(await found(), ['A harbour']);

    const larger = specs(3, 'S30_LOWCPU_NVME');
    const changed = expectStatus<Nodes>(await setup.owner.patch(at, { specs: larger }), 200);
    assert.deepEqual([changed.id, changed.specs, changed.stateName], [id, larger, 'UPDATING']);
    await inState(at, 'IDLE');
    assert.deepEqual(await found(), ['A harbour']);

    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    await inState(at, 'PAUSED');
    expectFault(await setup.owner.patch(at, { specs: larger }), 409, 'CANNOT_UPDATE_PAUSED_CLUSTER', [
      'library',
    ]);
    expectStatus(await setup.owner.patch(cluster, { paused: false }), 200);
    await inState(at, 'IDLE');
    await until('the cluster to be found again', found, (titles) => titles.length === 1);

    expectStatus(await setup.owner.delete(at), 204);
    await until(
      'no search nodes',
      () => setup.owner.get(at),
      (answer) => answer.text === '{}',
    );
    expectFault(await setup.owner.delete(at), 400, 'PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST', ['library']);
    expectFault(
      await setup.owner.patch(at, { specs: larger }),
      400,
      'PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST',
      ['library'],
    );
    assert.deepEqual(await found(), ['A harbour']);
    const types = await eventTypes(setup.owner, project);
    assert.deepEqual(
      types.filter((type) => type.startsWith('SEARCH_DEPLOYMENT')),
      ['SEARCH_DEPLOYMENT_CREATED', 'SEARCH_DEPLOYMENT_UPDATED', 'SEARCH_DEPLOYMENT_DELETED'],
    );
  });

  test('require a valid size and number, and a dedicated cluster', async () => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'library');
    const at = `${cluster}/search/deployment`;
    expectFault(
      await setup.owner.post(at, { specs: specs(2, 'S10_HIGHCPU_NVME') }),
      400,
      'INVALID_ENUM_VALUE',
      ['S10_HIGHCPU_NVME'],
    );
    const wrong = [
      [specs(1), 'specs.0.nodeCount must be >= 2'],
      [specs(33), 'specs.0.nodeCount must be <= 32'],
      [[...specs(2), ...specs(2)], 'specs must NOT have more than 1 items'],
      [[], 'specs must NOT have fewer than 1 items'],
    ] as const;
    for (const [given, reason] of wrong) {
      expectFault(await setup.owner.post(at, { specs: given }), 400, 'VALIDATION_ERROR', [reason]);
    }
    expectFault(await setup.owner.post(at, {}), 400, 'MISSING_ATTRIBUTE', ['specs']);
    const free = await newCluster(setup, project, 'free', FREE);
    expectFault(
      await setup.owner.post(`${free}/search/deployment`, { specs: specs(2) }),
      400,
      'INSUFFICIENT_INSTANCE_SIZE',
      ['M10'],
    );
    expectFault(await setup.owner.get(`${free}/search/deployment`), 400, 'INSUFFICIENT_INSTANCE_SIZE', [
      'M10',
    ]);
  });
});
