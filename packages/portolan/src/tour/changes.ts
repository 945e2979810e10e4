import { awaitIdle, clusterPath, expect, expectStatus, type Journey, until } from './steps.ts';

/** Changes a cluster while a driver is using it. */

/** Writes and reads one document after another while a change is in progress. Returns their number. */
async function working(journey: Journey, change: () => Promise<unknown>): Promise<number> {
  const { database } = journey;
  expect(database !== undefined, 'the driver is not connected');
  const waves = database.db('harbour').collection<{ _id: number }>('waves');
  const first = await waves.countDocuments({});
  let last = first;
  let over = false;
  const work = (async () => {
    for (; !over; last++) {
      await waves.insertOne({ _id: last });
      expect((await waves.findOne({ _id: last }))?._id === last, `document ${last} cannot be read`);
    }
  })();
  try {
    await Promise.race([change(), work]);
  } finally {
    over = true;
  }
  await work;
  const count = await waves.countDocuments({});
  expect(count === last, `found ${count} documents, not ${last}`);
  return last - first;
}

export async function updateUnderLoad(journey: Journey): Promise<string> {
  const nodes = { analyticsNodes: 0, electableNodes: 5, priority: 7, readOnlyNodes: 0 };
  const body = {
    clusterType: 'REPLICASET',
    providerSettings: { providerName: 'AWS', instanceSizeName: 'M30' },
    diskSizeGB: 40,
    replicationSpecs: [{ numShards: 1, regionsConfig: { US_EAST_2: nodes } }],
  };
  const count = await working(journey, async () => {
    expectStatus(await journey.client.call('PATCH', clusterPath(journey), body), 200);
    await awaitIdle(journey);
  });
  return `five nodes of size M30 in another region; ${count} documents written meanwhile, no error`;
}

export async function testFailover(journey: Journey): Promise<string> {
  const primary = async () => (await journey.database?.db('admin').command({ hello: 1 }))?.primary;
  const before = await primary();
  const count = await working(journey, async () => {
    expectStatus(await journey.client.call('POST', `${clusterPath(journey)}/restartPrimaries`), 200);
    await awaitIdle(journey);
  });
  const after = await primary();
  expect(before !== after, `${before} is still the primary`);
  return `${before} was the primary, ${after} is; ${count} documents written meanwhile, no error`;
}

export async function loadSampleData(journey: Journey): Promise<string> {
  const loads = `/groups/${journey.groupId}/sampleDatasetLoad`;
  const name = clusterPath(journey).split('/').at(-1);
  const { _id } = expectStatus(await journey.client.call('POST', `${loads}/${name}`), 201);
  await until(
    () => journey.client.call('GET', `${loads}/${_id}`),
    ({ body }) => body.state === 'COMPLETED',
    'COMPLETED',
  );
  const films = await journey.database?.db('sample_films').collection('films').countDocuments({});
  expect(films === 120, `found ${films} films, not 120`);
  return `${films} films, and more`;
}
