import type { Db, Document, MongoClient } from 'mongodb';
import { into } from '../backups.ts';
import { allowAccess, driverFor } from '../drivers.ts';
import { expectStatus, until } from '../expect.ts';
import type { Setup } from '../setups.ts';
import { gone, newCluster, uniqueName } from '../stage.ts';

/** The clusters under load. One of them stays and has a driver. Snapshots are repeatedly restored to the other one. */
export interface Ground {
  readonly setup: Setup;
  readonly project: string;
  readonly cluster: string;
  readonly restored: string;
  readonly driver: MongoClient;
  /** The number of the turn. Different turns use it to derive different values. */
  readonly turn: number;
}

/** A kind of work; each call is one turn. */
export type Lane = (ground: Ground) => Promise<unknown>;

const DOCUMENTS = 5_000;
const BATCH = 500;
const WORDS = ['harbour', 'lantern', 'anchor', 'compass', 'mast', 'rudder', 'galley', 'keel'];

const word = (turn: number, place: number) => WORDS[(turn * 7 + place * 3) % WORDS.length] as string;
const example = (turn: number, place: number): Document => ({
  turn,
  place,
  port: word(turn, place),
  text: Array.from({ length: 40 }, (_, i) => word(turn, place + i)).join(' '),
  tags: [word(turn, place), word(turn, place + 1)],
  nested: { even: place % 2 === 0, list: [place, place + 1, place + 2] },
});
const examples = (turn: number, count: number) => Array.from({ length: count }, (_, i) => example(turn, i));

const things = ({ driver }: Ground) => driver.db('load').collection('things');

/** Inserts the documents that reads find. A text index for searches is created afterwards. */
async function fill(driver: MongoClient): Promise<void> {
  const collection = driver.db('load').collection('things');
  for (let from = 0; from < DOCUMENTS; from += BATCH) await collection.insertMany(examples(from, BATCH));
  await collection.createIndex({ turn: 1, place: 1 });
  await collection.createSearchIndex({ name: 'texts', definition: { mappings: { dynamic: true } } });
}

/** Kinds of work by drivers. */
const drivers: Readonly<Record<string, Lane>> = {
  insertOne: (ground) => things(ground).insertOne(example(ground.turn, 1)),
  insertMany: async (ground) => {
    // Delete as many documents as are inserted, so that the data does not grow.
    await things(ground).insertMany(examples(-ground.turn, 200));
    await things(ground).deleteMany({ turn: -ground.turn });
  },
  findOne: (ground) => things(ground).findOne({ turn: 500, place: ground.turn % BATCH }),
  find: (ground) =>
    things(ground)
      .find({ port: word(ground.turn, 0) })
      .limit(200)
      .toArray(),
  updateMany: (ground) => things(ground).updateMany({ turn: 1_000 }, { $set: { seen: ground.turn } }),
  deleteOne: (ground) => things(ground).deleteOne({ turn: { $gt: 0 }, place: 1 }),
  group: (ground) =>
    things(ground)
      .aggregate([
        { $unwind: '$tags' },
        { $group: { _id: '$tags', n: { $sum: 1 }, last: { $max: '$place' } } },
      ])
      .toArray(),
  sort: (ground) => things(ground).find({}).sort({ text: 1 }).limit(100).toArray(),
  window: (ground) =>
    things(ground)
      .aggregate([
        { $match: { turn: 1_500 } },
        {
          $setWindowFields: {
            sortBy: { place: 1 },
            output: { sum: { $sum: '$place', window: { documents: [-5, 5] } } },
          },
        },
      ])
      .toArray(),
  pattern: (ground) => things(ground).countDocuments({ text: { $regex: `${word(ground.turn, 0)} k` } }),
  search: (ground) =>
    things(ground)
      .aggregate([
        { $search: { index: 'texts', text: { query: word(ground.turn, 0), path: 'text' } } },
        { $limit: 20 },
      ])
      .toArray(),
  transaction: ({ driver, turn }) =>
    driver.withSession((session) =>
      session.withTransaction(async () => {
        const accounts = driver.db('load').collection<{ _id: number }>('accounts');
        await accounts.updateOne({ _id: turn % 10 }, { $inc: { n: 1 } }, { session, upsert: true });
        await accounts.updateOne({ _id: (turn + 1) % 10 }, { $inc: { n: -1 } }, { session, upsert: true });
      }),
    ),
  collections: async ({ driver, turn }) => {
    const made: Db = driver.db(`load-${turn % 5}`);
    await made.collection(`c${turn}`).insertMany(examples(turn, 20));
    await made.collection(`c${turn}`).createIndex({ port: 1, place: -1 });
    await made.collection(`c${turn}`).drop();
  },
};

/** Kinds of work that send requests to the service. */
const requests: Readonly<Record<string, Lane>> = {
  'GET a cluster': async ({ setup, cluster }) => expectStatus(await setup.account.get(cluster), 200),
  'GET clusters': async ({ setup, project }) =>
    expectStatus(await setup.account.get(`${project}/clusters`), 200),
  'GET with Digest': async ({ setup, project }) => expectStatus(await setup.owner.get(project), 200),
  'database users': async ({ setup, project, turn }) => {
    const user = { username: `user-${turn}`, password: 'a compass and a chart', databaseName: 'admin' };
    const roles = [{ roleName: 'read', databaseName: 'load' }];
    expectStatus(await setup.account.post(`${project}/databaseUsers`, { ...user, roles }), 201);
    expectStatus(await setup.account.delete(`${project}/databaseUsers/admin/${user.username}`), 204);
  },
  projects: async ({ setup, turn }) => {
    const body = { name: `load ${turn}`, orgId: setup.bootstrap.orgId };
    const { id } = expectStatus<{ id: string }>(await setup.account.post('/groups', body), 200);
    expectStatus(await setup.account.delete(`/groups/${id}`), 204);
  },
};

/** Creates a cluster, uses it, and deletes it. */
async function cluster({ setup, project }: Ground): Promise<void> {
  const path = await newCluster(setup, project, uniqueName('passing'));
  const driver = await driverFor(setup, path);
  try {
    await fill(driver);
    await driver
      .db('load')
      .collection('things')
      .aggregate([{ $group: { _id: '$port', n: { $sum: 1 } } }])
      .toArray();
  } finally {
    await driver.close();
  }
  expectStatus(await setup.owner.delete(path), 202);
  await gone(setup.owner, path);
}

async function snapshot({ setup, cluster: of, project, restored }: Ground): Promise<void> {
  const path = `${of}/backup/snapshots`;
  const { id } = expectStatus<{ id: string }>(await setup.owner.post(path, { retentionInDays: 1 }), 200);
  const isDone = (answer: { json(): Record<string, unknown> }) => answer.json().status === 'completed';
  await until('the snapshot', () => setup.owner.get(`${path}/${id}`), isDone);
  const target = restored.slice(restored.lastIndexOf('/') + 1);
  const body = { deliveryType: 'automated', ...into(project, target, id) };
  const jobs = `${of}/backup/restoreJobs`;
  const job = expectStatus<{ id: string }>(await setup.owner.post(jobs, body), 200);
  const isOver = (answer: { json(): Record<string, unknown> }) => answer.json().finishedAt !== undefined;
  await until('the restore', () => setup.owner.get(`${jobs}/${job.id}`), isOver);
  expectStatus(await setup.owner.delete(`${path}/${id}`), 204);
}

async function state({ setup }: Ground): Promise<void> {
  expectStatus(await setup.operator.post('/operator/v1/states', { name: 'load' }), 201);
}

export const lanes: Readonly<Record<string, Lane>> = { ...drivers, ...requests };

/** Work that takes seconds. The other lanes are measured while it runs. */
export const heavyLanes: Readonly<Record<string, Lane>> = { cluster, snapshot, state };

/** Creates the clusters and data that the lanes use. */
export async function openGround(setup: Setup, project: string): Promise<Omit<Ground, 'turn'>> {
  const backedUp = { providerBackupEnabled: true };
  const steady = await newCluster(setup, project, uniqueName('steady'), backedUp);
  const restored = await newCluster(setup, project, uniqueName('restored'), backedUp);
  await allowAccess(setup, project, steady);
  const driver = await driverFor(setup, steady);
  await fill(driver);
  return { setup, project, cluster: steady, restored, driver };
}
