import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type MachineClock, machineClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { type ControlCalls, controlCalls } from '../control/calls.ts';
import { type ControlServer, listenForControl } from '../host/control-server.ts';
import { attachEngine } from './remote-engine.ts';

const random = systemRandom();
const settings = {
  dataDir: '/d',
  listen: '127.0.0.1',
  advertise: 'db.test',
  ports: { from: 1, to: 2, first: 1 },
  keyFolder: '/nowhere',
};
const calls: Partial<ControlCalls> = {
  troubled: () => new Promise(() => {}),
  describe: () => undefined,
};

/** The timers of the clock, which the test fires. */
const due = new Set<() => void>();
const clock: MachineClock = {
  ...machineClock(),
  after(_, run) {
    due.add(run);
    return () => void due.delete(run);
  },
};

let server: ControlServer;
before(async () => {
  const options = {
    token: 'token',
    settings,
    table: controlCalls,
    calls: calls as ControlCalls,
    random,
    clock: machineClock(),
    log: silentLog(),
  };
  server = await listenForControl(options, { host: '127.0.0.1', port: 0 });
});
after(() => server.close());

test('a host that no longer answers counts as unavailable until it accepts a connection again', async () => {
  const engine = attachEngine({ host: '127.0.0.1', port: server.port, token: 'token' }, { random, clock });
  await assert.rejects(engine.describe('c1'), { name: 'EngineUnavailable' });
  await engine.connect();
  assert.equal(await engine.describe('c1'), undefined);
  assert.equal(due.size, 0, 'an answer leaves no time-out behind');
  const rejected = assert.rejects(engine.troubled(), /has not answered troubled within 30000 ms/);
  assert.equal(due.size, 1);
  for (const run of due) run();
  await rejected;
  await assert.rejects(engine.describe('c1'), { name: 'EngineUnavailable' });
  assert.equal(engine.connected, false);
  await engine.connect();
  assert.equal(await engine.describe('c1'), undefined);
  engine.close();
});
