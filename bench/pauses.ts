import { setTimeout } from 'node:timers/promises';
import { type Collection, MongoClient } from 'mongodb';
import { createIdle } from './clusters.ts';
import { atMost, type Figure, type Part } from './figure.ts';
import { operatorOf } from './states.ts';
import { type Client, driverAuth, letDriversIn, milliseconds, withService } from './support.ts';

const ROUNDS = 3;
const QUIET_MS = 10_000;
const DOCUMENTS = 100_000;
const FEW = 2_000;
/** Number of documents in a batch: small, so that encoding them does not delay other requests of this process. */
const BATCH = 200;
/** Number of written documents. With so many writes, the write-ahead log is copied back to the file many times. */
const WRITTEN = 40_000;
const SNAPSHOT = { description: 'bench', retentionInDays: 1 };
const MAX_PAUSE_MS = 200;
const LARGE_BODIES = 12;
/** Returns a body of about 4 MB. The service reads and validates all of it before it rejects the unknown field. */
const largeBody = (orgId: string) => ({ name: 'large', orgId, notes: Array(40).fill('é'.repeat(50_000)) });

interface Doc {
  readonly _id: number;
  readonly text: string;
}

const example = (_id: number): Doc => ({ _id, text: 'x'.repeat(1_000) });

/** The longest time that a small request takes during saves of a state, snapshots, many writes, and large bodies. */
export const pauses: Part = {
  name: 'pauses',
  measure: () =>
    withService(async ({ bootstrap }, client): Promise<Figure[]> => {
      const project = `/groups/${bootstrap.groupId}`;
      await letDriversIn(client, project);
      const urls = [
        await createIdle(client, `${project}/clusters`, 'large', { providerBackupEnabled: true }),
        await createIdle(client, `${project}/clusters`, 'small'),
      ];
      const drivers = await Promise.all(
        urls.map((url) => new MongoClient(url, { auth: driverAuth }).connect()),
      );
      try {
        const [large, small] = drivers.map((driver) => driver.db('bench').collection<Doc>('documents'));
        if (large === undefined || small === undefined) return [];
        await fill(large, 0, DOCUMENTS);
        await fill(small, 0, FEW);
        return await measureAll({
          client,
          orgId: bootstrap.orgId,
          project,
          large,
          small,
          post: operatorOf(bootstrap),
        });
      } finally {
        for (const driver of drivers) await driver.close();
      }
    }),
};

interface Stage {
  readonly client: Client;
  readonly orgId: string;
  readonly project: string;
  readonly large: Collection<Doc>;
  readonly small: Collection<Doc>;
  readonly post: (path: string, body?: object) => Promise<void>;
}

async function fill(documents: Collection<Doc>, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += BATCH)
    await documents.insertMany(Array.from({ length: BATCH }, (_, i) => example(first + i)));
}

async function measureAll({ client, orgId, project, large, small, post }: Stage): Promise<Figure[]> {
  const snapshots = `${project}/clusters/large/backup/snapshots`;
  const snapshot = async () => {
    const { body } = await client.call('POST', snapshots, SNAPSHOT);
    while ((await client.call('GET', `${snapshots}/${body.id}`)).body.status !== 'completed')
      await setTimeout(20);
  };
  let next = DOCUMENTS;
  const work: Readonly<Record<string, () => Promise<unknown>>> = {
    'saves of a state': () => post('/states', { name: 'kept' }),
    snapshots: snapshot,
    'many writes': async () => {
      await fill(large, next, next + WRITTEN);
      next += WRITTEN;
    },
    'large bodies': () =>
      Promise.all(
        Array.from({ length: LARGE_BODIES }, () => client.call('POST', '/groups', largeBody(orgId))),
      ),
  };
  let turn = 0;
  const operations: Operations = {
    'GET of a cluster': () => client.call('GET', `${project}/clusters/small`),
    'PATCH of a project': () => client.call('PATCH', project, { name: `bench ${turn++ % 2}` }),
    'findOne in another cluster': () => small.findOne({ _id: turn++ % FEW }),
    'updateOne in another cluster': () => small.updateOne({ _id: turn++ % FEW }, { $set: { text: 'y' } }),
    'updateOne in the same cluster': () => large.updateOne({ _id: turn++ % FEW }, { $set: { text: 'y' } }),
  };
  const quiet = await longestDuring(() => setTimeout(QUIET_MS), operations);
  const figures: Figure[] = [];
  for (const [what, run] of Object.entries(work)) {
    const beside = await longestDuring(async () => {
      for (let round = 0; round < ROUNDS; round++) await run();
    }, operations);
    for (const [name, value] of Object.entries(beside)) {
      const baseline = { name: 'without this work', value: quiet[name] ?? Number.NaN };
      figures.push({
        name: `longest ${name} during ${what}`,
        value,
        unit: 'ms',
        baseline,
        target: atMost(MAX_PAUSE_MS),
      });
    }
  }
  return figures;
}

type Operations = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Repeats each operation during `work`, and runs the different operations at the same time. Returns the longest
 * duration of each.
 */
async function longestDuring(
  work: () => Promise<unknown>,
  operations: Operations,
): Promise<Record<string, number>> {
  const longest: Record<string, number> = {};
  let going = true;
  const lanes = Object.entries(operations).map(async ([name, operation]) => {
    longest[name] = 0;
    while (going) {
      const start = performance.now();
      await operation();
      longest[name] = Math.max(longest[name] ?? 0, milliseconds(start));
    }
  });
  await work();
  going = false;
  await Promise.all(lanes);
  return longest;
}
