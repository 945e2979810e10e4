import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import { type Log, silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { engineAlone } from '@portolan/test-support/engine-alone';
import { until } from '@portolan/test-support/expect';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { MigrationRun } from './run.ts';

const clients: MongoClient[] = [];
const leave = () => Promise.all(clients.splice(0).map((client) => client.close()));
const [source, target] = [engineAlone(leave), engineAlone()];
const runs: MigrationRun[] = [];
after(() => Promise.all(runs.map((run) => run.stop())));

function newRun(attempt: number, machine: MachineClock, warn: Log['warn']): MigrationRun {
  const [, username = '', password = ''] = /^mongodb:\/\/(\w+):(\w+)@/.exec(target()) ?? [];
  const run = new MigrationRun({
    order: {
      id: '6b0379ae15b376aa4da9b5d7',
      attempt,
      source: { projectId: '6b0379ae15b376aa4da9b5d8', deployment: 'old', ssl: false },
      target: { uri: target(), username, password },
      cutover: false,
    },
    uri: source(),
    authorityFile: undefined,
    ...{ machine, random: systemRandom(), log: { ...silentLog(), warn } },
  });
  runs.push(run);
  return run;
}

test('a source that answers and fails every read is a problem until something is read', async () => {
  const client = await MongoClient.connect(source(), LONG_TIMEOUTS);
  clients.push(client);
  await client.db('harbour').collection('ships').insertOne({ name: 'Argo' });
  const breakReads = (mode: string) =>
    client.db('admin').command({
      configureFailPoint: 'failCommand',
      mode,
      data: { failCommands: ['find'], closeConnection: true, appName: 'portolan link' },
    });
  await breakReads('alwaysOn');

  let failures = 0;
  const warn = () => {
    failures++;
  };
  const run = newRun(1, machineClock(), warn);
  while (failures < 3) {
    const { problem, phase, ready } = run.progress();
    assert.deepEqual([phase, ready], ['copying', false]);
    // The text of the problem varies: either the connection is closed during a command, or server selection times out.
    if (failures > 0) assert.ok(problem);
    await setTimeout(2);
  }
  await breakReads('off');
  const { copied, problem } = await until(
    'ready',
    async () => run.progress(),
    ({ ready }) => ready,
  );
  assert.deepEqual([copied, problem], [{ documents: 1, total: 1 }, undefined]);
});

test('a command that never ends is a problem, after which the migration continues', async (t) => {
  let passed = 0;
  const real = machineClock();
  const machine: MachineClock = {
    ...real,
    monotonic: () => real.monotonic() + passed,
    after: (ms, work, options) => real.after(Math.min(ms, 20), work, options),
  };
  const write = Socket.prototype.write;
  const mock = t.mock.method(Socket.prototype, 'write', function (this: Socket, ...given: [Buffer]) {
    if (Buffer.isBuffer(given[0]) && given[0].includes('listCollections')) {
      mock.mock.restore();
      // The connection breaks after the driver has begun to send the command.
      this.destroy();
      passed = 100_000;
    }
    return write.apply(this, given as never);
  });
  const problems: unknown[] = [];
  const run = newRun(2, machine, () => problems.push(run.progress().problem));
  await until(
    'ready',
    async () => run.progress(),
    ({ ready }) => ready,
  );
  assert.match(String(problems), /^a command to 127\.0\.0\.1:\d+ does not end$/);
});
