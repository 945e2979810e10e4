import { MongoClient } from 'mongodb';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { type Client, clusterBody, driverAuth, letDriversIn, milliseconds, withService } from './support.ts';

const CLUSTERS = 7;

/** The time from the request that creates a cluster to the first reply that a driver receives. */
export const clusters: Part = {
  name: 'clusters',
  measure: () =>
    withService(async ({ bootstrap }, client): Promise<Figure[]> => {
      const project = `/groups/${bootstrap.groupId}`;
      await letDriversIn(client, project);
      const idle: number[] = [];
      const connected: number[] = [];
      for (let i = 0; i < CLUSTERS; i++) {
        const start = performance.now();
        const url = await createIdle(client, `${project}/clusters`, `cluster-${i}`);
        idle.push(milliseconds(start));
        const driver = await new MongoClient(url, { auth: driverAuth }).connect();
        await driver.db('admin').command({ ping: 1 });
        connected.push(milliseconds(start));
        await driver.close();
      }
      return [
        { name: 'create a cluster until it is IDLE', value: median(idle), unit: 'ms' },
        {
          name: 'create a cluster until a driver is connected',
          value: median(connected),
          unit: 'ms',
          target: atMost(1000),
        },
      ];
    }),
};

export async function createIdle(
  client: Client,
  path: string,
  name: string,
  more: object = {},
): Promise<string> {
  await client.call('POST', path, { ...clusterBody(name), ...more });
  for (;;) {
    const { body } = await client.call('GET', `${path}/${name}`);
    if (body.stateName === 'IDLE') return String((body.connectionStrings as { standard?: string }).standard);
  }
}
