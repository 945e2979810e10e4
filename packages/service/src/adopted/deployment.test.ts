import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { ADMINISTRATOR, otherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import { MongoClient } from 'mongodb';
import { AdoptedDeployment } from './deployment.ts';

/** Returns a deployment of the servers with this connection string. */
function deploymentAt(connectionString: string): AdoptedDeployment {
  const machine = machineClock();
  const parts = { clock: serviceClock(machine), machine, log: silentLog(), random: systemRandom() };
  return new AdoptedDeployment('x', { connection: { connectionString }, found: undefined }, parts);
}

test('a member is reached again after its first connection has failed, also without statistics', async (t) => {
  const server = await otherServer(scopeOf(t));
  const administrator = await MongoClient.connect(server.uri, LONG_TIMEOUTS);
  const { pwd } = ADMINISTRATOR;
  await administrator.db('admin').command({ createUser: 'reader', pwd, roles: ['readAnyDatabase'] });
  await administrator.close();
  const connect = net.createConnection;
  const refused = t.mock.method(net, 'createConnection', (options: net.NetConnectOpts) =>
    connect(
      `127.0.0.1:${'port' in options && options.port}` === server.hosts[1]
        ? { ...options, port: 1 }
        : options,
    ),
  );
  const deployment = deploymentAt(server.uri.replace(/\/\/[^:]*/, '//reader'));
  try {
    const { found, down } = await deployment.reachable();
    const member = found.members.find(({ host, port }) => `${host}:${port}` === server.hosts[1]);
    assert.deepEqual([found.facts, down], [['changeStreams'], [member?.id]]);
    await assert.rejects(deployment.member(String(member?.id)), /ECONNREFUSED/);
    refused.mock.restore();
    const client = await deployment.member(String(member?.id));
    assert.equal((await client.db('admin').command({ ping: 1 })).ok, 1);
  } finally {
    await deployment.close();
  }
});

test('a failed check does not interrupt the commands of the service', async (t) => {
  const server = await otherServer(scopeOf(t));
  const deployment = deploymentAt(server.uri);
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
