import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { onEachDatabase } from '@portolan/test-support/databases';
import type { Services } from '../../services.ts';
import { clusterById } from '../index.ts';
import { makeCluster, openClusters, updateCluster } from '../testing.ts';
import { watchDeployments } from './repairs.ts';

const CHECKS = 30;

onEachDatabase('a problem that persists is reported again when the cluster is idle', async (t, database) => {
  const { store, groupId } = await openClusters(t, database);
  const { id, ...cluster } = await store.write((tx) => makeCluster(tx, groupId));
  const idle = () => store.write((tx) => updateCluster(tx, { ...cluster, id, state: 'IDLE' }));
  const state = async () => (await store.read((tx) => clusterById(tx, id)))?.state;
  await idle();
  const machine = testClock();
  let checks = 0;
  const engine = {
    describe: async () => ({ id, state: 'failed', members: [], accessRevision: 0, primaries: [] }),
    async troubled() {
      checks++;
      return [{ id, message: 'the server does not respond' }];
    },
  };
  const engines = { local: 'host', reachable: () => ['host'], keeps: () => true, at: () => engine };
  const services = { store, machine, engines, log: silentLog() } as unknown as Services;
  const watch = watchDeployments(services);
  t.after(() => watch.stop());
  /** Lets some checks run, until the cluster is in REPAIRING. */
  const repairing = async () => {
    const last = checks + CHECKS;
    while (checks < last && (await state()) !== 'REPAIRING') {
      machine.advance(2_000);
      await setImmediate();
    }
    assert.equal(await state(), 'REPAIRING');
  };
  await repairing();
  await idle();
  await repairing();
});
