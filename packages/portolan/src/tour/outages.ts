import { clusterPath, expect, expectStatus, type Journey, PATIENCE_MS, until } from './steps.ts';

const REGION = { cloudProvider: 'AWS', regionName: 'US_EAST_2' };

/** Simulates the loss of the cluster's region. A connected driver recovers without help. */
export async function loseRegion(journey: Journey): Promise<string> {
  const { client, database } = journey;
  expect(database !== undefined, 'the driver is not connected');
  const outage = `${clusterPath(journey)}/outageSimulation`;
  const inState = (state: string) =>
    until(
      () => client.call('GET', outage),
      (answer) => answer.body.state === state,
      state,
    );
  expectStatus(await client.call('POST', outage, { outageFilters: [REGION] }), 200);
  await inState('SIMULATING');
  const ping = (timeoutMS: number) => database.db('admin').command({ ping: 1 }, { timeoutMS });
  // The driver waits for a primary for the configured time, and then fails.
  const lost = await ping(500).then(
    () => false,
    () => true,
  );
  expect(lost, 'members answer although their region is out');
  expectStatus(await client.call('DELETE', outage), 200);
  await inState('COMPLETE');
  await ping(PATIENCE_MS);
  return 'no member responded during the outage, and the driver has reconnected';
}
