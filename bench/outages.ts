import { setTimeout } from 'node:timers/promises';
import { type Collection, MongoClient } from 'mongodb';
import { atMost, type Figure, type Part } from './figure.ts';
import { type Client, driverAuth, letDriversIn, milliseconds, withService } from './support.ts';

const ROUNDS = 7;
/** Each region has one node. The primary is in the first region. */
const REGIONS = ['US_EAST_1', 'US_WEST_2', 'EU_WEST_1'];

/**
 * The longest time in which no write of a driver with retries succeeds. Measured twice: when the region of
 * the primary is lost, and when the region returns.
 */
export const outages: Part = {
  name: 'outages',
  measure: () =>
    withService(async ({ bootstrap }, client): Promise<Figure[]> => {
      const project = `/groups/${bootstrap.groupId}`;
      await letDriversIn(client, project);
      const cluster = await createWide(client, `${project}/clusters`);
      const driver = await new MongoClient(cluster.url, { auth: driverAuth }).connect();
      const writer = new Writer(driver.db('harbour').collection('log'));
      try {
        const [lost, back] = [[] as number[], [] as number[]];
        for (let round = 0; round < ROUNDS; round++) {
          const [region] = REGIONS;
          const outageFilters = [{ cloudProvider: 'AWS', regionName: region, type: 'REGION' }];
          lost.push(await writer.during(() => simulate(client, cluster.path, 'SIMULATING', outageFilters)));
          back.push(await writer.during(() => simulate(client, cluster.path, 'COMPLETE')));
        }
        return figures(lost, back, await writer.stop());
      } finally {
        await writer.stop();
        await driver.close();
      }
    }),
};

function figures(lost: readonly number[], back: readonly number[], errors: number): Figure[] {
  const gap = (name: string, times: readonly number[]): Figure => ({
    ...{ name: `longest time without a write, ${name}`, value: Math.max(...times), unit: 'ms' },
    target: atMost(3000),
  });
  return [
    gap('when the region of the primary fails', lost),
    gap('when the region of the primary returns', back),
    { name: 'failed writes during an outage', value: errors, unit: 'writes', target: atMost(0) },
  ];
}

/** Writes documents one after another, and waits for each write. */
class Writer {
  #longest = 0;
  #last = performance.now();
  #errors = 0;
  #stopped = false;
  readonly #written: Promise<void>;

  constructor(collection: Collection) {
    this.#written = this.#write(collection);
  }

  async #write(collection: Collection): Promise<void> {
    while (!this.#stopped) {
      await collection.insertOne({ at: new Date() }).catch((error) => {
        this.#errors++;
        process.stderr.write(`a write failed: ${error}\n`);
      });
      this.#longest = Math.max(this.#longest, milliseconds(this.#last));
      this.#last = performance.now();
    }
  }

  /** Returns the longest pause between two writes while `happens` runs, and during the second after it. */
  async during(happens: () => Promise<void>): Promise<number> {
    this.#longest = 0;
    await happens();
    await setTimeout(1000);
    return Math.max(this.#longest, milliseconds(this.#last));
  }

  /** Stops writing. Returns the number of failed writes. */
  async stop(): Promise<number> {
    this.#stopped = true;
    await this.#written;
    return this.#errors;
  }
}

async function createWide(client: Client, path: string): Promise<{ path: string; url: string }> {
  const region = (priority: number) => ({ analyticsNodes: 0, electableNodes: 1, priority, readOnlyNodes: 0 });
  const regionsConfig = Object.fromEntries(REGIONS.map((name, place) => [name, region(7 - place)]));
  await client.call('POST', path, {
    name: 'wide',
    clusterType: 'REPLICASET',
    diskSizeGB: 10,
    providerSettings: { providerName: 'AWS', instanceSizeName: 'M10' },
    replicationSpecs: [{ numShards: 1, regionsConfig, zoneName: 'Zone 1' }],
  });
  for (;;) {
    const { body } = await client.call('GET', `${path}/wide`);
    const { standard } = (body.connectionStrings ?? {}) as { standard?: string };
    if (body.stateName === 'IDLE') return { path: `${path}/wide`, url: String(standard) };
  }
}

/** Starts an outage of these regions, or ends the present one. */
async function simulate(
  client: Client,
  cluster: string,
  state: string,
  outageFilters?: readonly object[],
): Promise<void> {
  const path = `${cluster}/outageSimulation`;
  const { status, body } = outageFilters
    ? await client.call('POST', path, { outageFilters })
    : await client.call('DELETE', path);
  if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`);
  while ((await client.call('GET', path)).body.state !== state) await setTimeout(20);
}
