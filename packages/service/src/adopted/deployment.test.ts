import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { otherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { AdoptedDeployment } from './deployment.ts';
import { reasonOf } from './reasons.ts';

test('a reason says that a connection was closed', () => {
  const closed = new MongoNetworkError('This socket has been ended by the other party');
  assert.equal(reasonOf(closed), 'a connection was closed: This socket has been ended by the other party');
  const refused = new MongoServerError({ message: 'not authorized on admin' });
  assert.equal(reasonOf(refused), 'not authorized on admin');
});

test('a failed check does not interrupt the commands of the service', async (t) => {
  const server = await otherServer(scopeOf(t));
  const machine = machineClock();
  const parts = { clock: serviceClock(machine), machine, log: silentLog(), random: systemRandom() };
  const stored = { connection: { connectionString: server.uri }, found: undefined };
  const deployment = new AdoptedDeployment('x', stored, parts);
  try {
    const worker = await deployment.worker();
    await server.kill('SIGKILL');
    await assert.rejects(deployment.look());
    await server.start();
    assert.equal((await worker.db('admin').command({ ping: 1 })).ok, 1);
    assert.equal(await deployment.worker(), worker);
  } finally {
    await deployment.close();
  }
});
