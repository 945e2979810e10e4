import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { FoundServers } from '@portolan/engine/interface/engine';
import { withoutPaths } from '@portolan/foundation/paths-in-text';
import { type DatabaseLocation, onEachDatabase } from '@portolan/test-support/databases';
import { type AccountBook, Outdated } from '../../adopted/index.ts';
import type { TaskContext } from '../../tasks/index.ts';
import { clusterById, followFound, storedFacts } from '../clusters/index.ts';
import { applyAccess, deployed, updateCluster } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { accountBook } from './accounts.ts';
import { presentDeployment } from './present.ts';
import { requireAdopted } from './rules.ts';
import { FOUND, openDeployment } from './testing.ts';

interface EventTables {
  event: { id: string; type: string; details: string };
}

const POWERLESS: FoundServers = { ...FOUND, facts: [] };
const PILOT = { kind: 'USER', database: 'admin', name: 'pilot', mark: 'of the first', digest: 'x' } as const;

/** Opens a store with an idle adopted deployment, and the records of its accounts. */
async function openAdopted(t: TestContext, database: DatabaseLocation) {
  const { store, id } = await openDeployment(t, database);
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
    const follow = (found: FoundServers) =>
      store.write(async (tx) => {
        const before = await storedFacts(tx, id);
        assert.ok(before);
        await followFound(tx, id, { before, found });
      });
    await addProblems(adopted);
    assert.deepEqual(await shown(), problems);
    await follow(POWERLESS);
    assert.deepEqual(await shown(), none);

    // An attempt to apply the accounts may fail before the servers withdraw the privileges. The task may then record
    // this failure after the withdrawal.
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
  'an event reports that the servers lack the users, once until they have them',
  async (t, database) => {
    const { store, id } = await openAdopted(t, database);
    const [step] = applyAccess.steps;
    const context = { payload: { clusterId: id } } as TaskContext<Services, { clusterId: string }>;
    const reasons = async (...problems: readonly (string | undefined)[]) => {
      for (const accessProblem of problems)
        await store.write(async (tx) => step?.commit?.(tx, context, { revision: 0, accessProblem }));
      const rows = await store.read((tx) =>
        tx
          .from<EventTables>()
          .selectFrom('event')
          .select('details')
          .where('type', '=', 'CLUSTER_USERS_NOT_APPLIED')
          .orderBy('id')
          .execute(),
      );
      return rows.map(({ details }) => JSON.parse(String(details)).reason);
    };
    const first = 'the file /etc/portolan/ca.pem is missing';
    const shown = withoutPaths(first);
    assert.notEqual(shown, first);
    assert.deepEqual(await reasons(first, 'timed out after 5001 ms', 'timed out after 5007 ms'), [shown]);
    assert.deepEqual(await reasons(undefined, 'refused'), [shown, 'refused']);
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
