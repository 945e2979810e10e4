import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { ADMINISTRATOR, otherServer } from '@portolan/test-support/adopted-engine';
import { until } from '@portolan/test-support/expect';
import { scopeOf } from '@portolan/test-support/service';
import { type Answer, replicaSet, standInServer } from '@portolan/test-support/stand-in-server';
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

test('the service disconnects from servers that are no longer members', async (t) => {
  const serverStatus = { opcounters: {} };
  const other = await standInServer(scopeOf(t), replicaSet({ serverStatus }));
  let hosts = [other.host];
  const answer: Answer = (command, host) => {
    const members = [host, ...hosts].map((one, _id) => ({ _id, host: one, priority: 1 }));
    return replicaSet({ serverStatus, replSetGetConfig: { config: { members } } })(command, host);
  };
  const { host } = await standInServer(scopeOf(t), answer);
  const deployment = deploymentAt(`mongodb://${host}/?directConnection=true`);
  try {
    await deployment.look();
    assert.ok(other.connections() > 0);
    assert.ok(deployment.samplesOf('shard-00-01').length > 0);
    hosts = [];
    await deployment.look();
    assert.equal(deployment.samplesOf('shard-00-01').length, 0);
    await until(
      'no connections',
      async () => other.connections(),
      (count) => count === 0,
    );
  } finally {
    await deployment.close();
  }
});

test('a deployment whose servers send very much is unreachable with the reason', async (t) => {
  const serverStatus = { opcounters: {}, pad: Buffer.alloc(7_000_000) };
  const { host } = await standInServer(scopeOf(t), replicaSet({ serverStatus }));
  const deployment = deploymentAt(`mongodb://${host}/`);
  const looks = async () => {
    for (let i = 0; i < 100; i++) await deployment.look();
  };
  try {
    await assert.rejects(looks, /the servers sent more than 64 MiB within ten seconds/);
  } finally {
    await deployment.close();
  }
});
