import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { FoundServers, RefusedArgument } from '@portolan/engine/interface/engine';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import { clusterById } from '../clusters/index.ts';
import { updateCluster } from '../clusters/testing.ts';
import type { Services } from '../services.ts';
import { followDeployments } from './follow.ts';
import { FOUND, openDeployment } from './testing.ts';

interface Tables {
  task: { kind: string };
}

onEachDatabase(
  'process arguments and accounts that others have changed are applied again',
  async (t, database) => {
    const { store, cluster, secrets } = await openDeployment(t, database);
    const machine = testClock();
    const spec = { ...cluster.spec, arguments: { noTableScan: true } };
    /** Stores arguments as the result of a change. Returns the tasks of a kind that the rounds enqueue. */
    const tasksAfterRounds = async (
      noTableScan: boolean | null,
      { refused = [] as string[], last = 2, wanted = 'cluster.apply' } = {},
    ) => {
      const found: FoundServers = { ...FOUND, arguments: { noTableScan } };
      await store.write(async (tx) => {
        await tx.from<Tables>().deleteFrom('task').execute();
        const refusedArguments = refused.map((name) => ({ name, reason: 'unknown' })) as RefusedArgument[];
        const placement = { ...cluster.placement, found, refusedArguments };
        await updateCluster(tx, { ...cluster, spec, placement });
      });
      let rounds = 0;
      const describe = async () => {
        rounds++;
        return { found, state: 'running' };
      };
      const engines = { keeps: () => true, at: () => ({ describe }) };
      const services = { store, secrets, engines, machine, log: silentLog() } as unknown as Services;
      const following = followDeployments(services);
      while (rounds < last) {
        machine.advance(2_000);
        await setImmediate();
      }
      await following.stop();
      const tasks = await store.read((tx) => tx.from<Tables>().selectFrom('task').select('kind').execute());
      return tasks.map(({ kind }) => kind).filter((kind) => kind === wanted);
    };
    assert.deepEqual(await tasksAfterRounds(true), []);
    // One of the members has restarted, so the members have different values.
    assert.deepEqual(await tasksAfterRounds(null), ['cluster.apply']);
    assert.deepEqual(await tasksAfterRounds(false), ['cluster.apply']);
    // Refused arguments are tried again every five minutes.
    const refused = ['noTableScan'];
    assert.deepEqual(await tasksAfterRounds(false, { refused }), []);
    assert.deepEqual(await tasksAfterRounds(false, { refused, last: 151 }), ['cluster.apply']);
    // Users and roles are compared with those of the servers every five minutes.
    const wanted = 'cluster.applyAccess';
    assert.deepEqual(await tasksAfterRounds(true, { wanted }), []);
    assert.deepEqual(await tasksAfterRounds(true, { wanted, last: 151 }), [wanted]);
  },
);

onEachDatabase('an inspection does not replace the facts of a later one', async (t, database) => {
  const { store, cluster, secrets } = await openDeployment(t, database);
  const machine = testClock();
  const factsWith = (noTableScan: boolean): FoundServers => ({ ...FOUND, arguments: { noTableScan } });
  const stored = async () =>
    (await store.read((tx) => clusterById(tx, cluster.id)))?.placement.found?.arguments?.noTableScan;
  const put = (found: FoundServers) =>
    store.write((tx) => updateCluster(tx, { ...cluster, placement: { ...cluster.placement, found } }));
  /** Follows the deployment for some rounds. `seen` is the result of the last inspection. */
  const follow = async (seen: FoundServers, refresh: () => Promise<FoundServers>) => {
    let rounds = 0;
    const describe = async () => {
      rounds++;
      return { found: seen, state: 'running' };
    };
    const engines = { keeps: () => true, at: () => ({ describe }), refresh };
    const services = { store, secrets, engines, machine, log: silentLog() } as unknown as Services;
    const following = followDeployments(services);
    while (rounds < 2) {
      machine.advance(2_000);
      await setImmediate();
    }
    await following.stop();
  };
  await put(factsWith(true));
  await follow(factsWith(false), async () => factsWith(true));
  assert.equal(await stored(), true);
  await follow(factsWith(false), () => Promise.reject(new Error('the servers do not respond')));
  assert.equal(await stored(), true);
  await follow(factsWith(false), async () => factsWith(false));
  assert.equal(await stored(), false);
  // Another instance stores newer facts during each inspection.
  let newer = 0;
  await follow(factsWith(true), async () => {
    await put({ ...factsWith(false), maxConnections: ++newer });
    return factsWith(true);
  });
  assert.equal(await stored(), false);
});
