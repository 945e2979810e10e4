import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { type AccountBook, Outdated } from '../../adopted/index.ts';
import { system } from '../../events/index.ts';
import type { TaskContext } from '../../tasks/index.ts';
import { clusterById, followFound } from '../clusters/index.ts';
import { applyAccess, deployed, openClusters, updateCluster } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { accountBook } from './accounts.ts';
import { adopt } from './changes.ts';
import { presentDeployment } from './present.ts';
import { requireAdopted } from './rules.ts';

const FOUND: FoundServers = {
  engine: 'adopted',
  facts: ['manageUsers'],
  topology: 'REPLICA_SET',
  version: '8.0.0',
  replicaSets: ['rs0'],
  members: [
    { id: 'shard-00-00', shard: 0, kind: 'electable', priority: 1, host: 'db1.example.org', port: 27_017 },
  ],
  tls: false,
};
const POWERLESS: FoundServers = { ...FOUND, facts: [] };
const PILOT = { kind: 'USER', database: 'admin', name: 'pilot', mark: 'of the first', digest: 'x' } as const;

/** Opens a store with an idle adopted deployment. */
async function openAdopted(t: TestContext, database: DatabaseLocation) {
  const { store, groupId } = await openClusters(t, database);
  const secrets = secretBox(Buffer.alloc(32, 1), systemRandom());
  const wanted = {
    ...{ groupId, name: 'pier', mark: 'abcdef', found: FOUND },
    place: { provider: 'AWS', region: 'US_EAST_1' } as const,
    connection: { connectionString: 'mongodb://db1.example.org' },
  };
  const id = await store.write(async (tx) => {
    const cluster = await adopt(tx, { secrets }, wanted, system);
    await updateCluster(tx, { ...cluster, state: 'IDLE' });
    return cluster.id;
  });
  const shown = async () => {
    const { accessProblem, accountProblems } = presentDeployment(
      await store.read((tx) => requireAdopted(tx, id)),
    );
    return { accessProblem, accounts: accountProblems.map(({ problem }) => problem) };
  };
  return { store, id, shown, book: accountBook(store) };
}

/** Stores one problem that concerns all users, and one problem of a single user. */
async function addProblems({ store, id, book }: Awaited<ReturnType<typeof openAdopted>>): Promise<void> {
  await book.save({ deploymentId: id, revision: 1 }, { ...PILOT, state: 'NONE', problem: 'it is taken' });
  await store.write(async (tx) => {
    const cluster = await clusterById(tx, id);
    assert.ok(cluster);
    const placement = { ...cluster.placement, accessProblem: 'the servers refuse' };
    await updateCluster(tx, { ...cluster, placement });
  });
}

onEachDatabase(
  'problems of users end when the servers no longer permit to manage users',
  async (t, database) => {
    const adopted = await openAdopted(t, database);
    const { store, id, shown } = adopted;
    const problems = { accessProblem: 'the servers refuse', accounts: ['it is taken'] };
    const none = { accessProblem: undefined, accounts: [] };
    const follow = (found: FoundServers) => store.write((tx) => followFound(tx, id, found));
    await addProblems(adopted);
    assert.deepEqual(await shown(), problems);
    await follow(POWERLESS);
    assert.deepEqual(await shown(), none);

    // Attempts to apply the accounts may have failed before the servers withdrew the privileges. Their task
    // may record the failure afterwards.
    const [step] = applyAccess.steps;
    const context = { payload: { clusterId: id } } as TaskContext<Services, { clusterId: string }>;
    await store.write(async (tx) =>
      step?.commit?.(tx, context, { revision: 0, accessProblem: 'the servers refuse' }),
    );
    assert.deepEqual(await shown(), none);

    await follow(FOUND);
    await addProblems(adopted);
    assert.deepEqual(await shown(), problems);
    const deployment = { id, state: 'running', members: [], accessRevision: 0, primaries: [], elections: [] };
    await store.write((tx) =>
      deployed(tx, id, {
        generation: 1,
        deployment: { ...deployment, state: 'running', down: [], found: POWERLESS },
      }),
    );
    assert.deepEqual(await shown(), none);
  },
);

onEachDatabase(
  'a run that a newer one has overtaken lets the accounts be compared again',
  async (t, database) => {
    const { store, id, book, shown } = await openAdopted(t, database);
    const older = { deploymentId: id, revision: 1 };
    const newer = { deploymentId: id, revision: 2 };
    const made = { ...PILOT, state: 'MADE' } as const;
    await book.begin(older);
    await book.save(older, made);
    await book.begin(newer);
    const other = { ...made, name: 'mate', mark: 'of the second' };
    const calls: readonly ((run: typeof older) => ReturnType<AccountBook['begin' | 'remove' | 'save']>)[] = [
      (run) => book.begin(run),
      (run) => book.save(run, made),
      (run) => book.save(run, other),
      (run) => book.remove(run, made),
    ];
    for (const call of calls) await assert.rejects(call(older), Outdated);
    const problem = 'an older change was applied after a newer one';
    const disturbed = [other, made].map((record) => ({ ...record, digest: '', problem }));
    assert.deepEqual(await book.of(id), disturbed);
    assert.deepEqual((await shown()).accounts, [problem, problem]);
    assert.equal(await countTasks(store), 1);
    await book.save(newer, made);
    await book.remove(newer, other);
    assert.deepEqual(await book.of(id), [made]);
  },
);

interface Tables {
  task: { kind: string };
}

function countTasks(store: Awaited<ReturnType<typeof openAdopted>>['store']): Promise<number> {
  return store.read(async (tx) => {
    const tasks = tx.from<Tables>().selectFrom('task').select('kind');
    return (await tasks.where('kind', '=', applyAccess.kind).execute()).length;
  });
}
