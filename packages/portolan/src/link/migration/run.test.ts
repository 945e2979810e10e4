import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { until } from '@portolan/test-support/expect';
import { MongoClient } from 'mongodb';
import { MigrationRun } from './run.ts';

const clients: MongoClient[] = [];
const leave = () => Promise.all(clients.splice(0).map((client) => client.close()));
const [source, target] = [engineAlone(leave), engineAlone()];
const runs: MigrationRun[] = [];
after(() => Promise.all(runs.map((run) => run.stop())));

test('a source that answers and fails every read is a problem until something is read', async () => {
  const client = await MongoClient.connect(source());
  clients.push(client);
  await client.db('harbour').collection('ships').insertOne({ name: 'Argo' });
  const breakReads = (mode: string) =>
    client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode,
      data: { failCommands: ['find'], closeConnection: true, appName: 'portolan link' },
    });
  await breakReads('alwaysOn');

  const [, username = '', password = ''] = /^mongodb:\/\/(\w+):(\w+)@/.exec(target()) ?? [];
  let failures = 0;
  const warn = () => {
    failures++;
  };
  const run = new MigrationRun({
    order: {
      id: '6b0379ae15b376aa4da9b5d7',
      attempt: 1,
      source: { projectId: '6b0379ae15b376aa4da9b5d8', deployment: 'old', ssl: false },
      target: { uri: target(), username, password },
      cutover: false,
    },
    uri: source(),
    authorityFile: undefined,
    machine: machineClock(),
    random: systemRandom(),
    log: { ...silentLog(), warn },
  });
  runs.push(run);
  while (failures < 3) {
    const { problem, phase, ready } = run.progress();
    assert.deepEqual([phase, ready], ['copying', false]);
    if (failures > 0) assert.match(problem ?? 'none', /connection \d+ to 127\.0\.0\.1:\d+ closed/);
    await setImmediate();
  }
  await breakReads('off');
  const { copied, problem } = await until(
    'ready',
    async () => run.progress(),
    ({ ready }) => ready,
  );
  assert.deepEqual([copied, problem], [{ documents: 1, total: 1 }, undefined]);
});
