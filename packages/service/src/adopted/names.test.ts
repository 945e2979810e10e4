import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { otherServer } from '@portolan/test-support/adopted-engine';
import { scopeOf } from '@portolan/test-support/service';
import { LONG_TIMEOUTS } from '@portolan/test-support/timeouts';
import packet, { type Answer } from 'dns-packet';
import { MongoClient } from 'mongodb';
import { clientOf } from './connection.ts';
import { inspect } from './inspect.ts';
import { type Names, namesFrom, srvHostIn } from './names.ts';

const scope = scopeOf({ after });
/** The records of the DNS server, by type and name. */
const records = new Map<string, readonly Answer[]>();
let names: Names;

before(async () => {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { id, questions = [] } = packet.decode(message);
    const answers = questions.flatMap(({ type, name }) => records.get(`${type} ${name.toLowerCase()}`) ?? []);
    socket.send(packet.encode({ id: id ?? 0, type: 'response', questions, answers }), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  scope.after(() => socket.close());
  names = namesFrom([`127.0.0.1:${socket.address().port}`]);
});

function setSrv(name: string, targets: readonly (readonly [target: string, port: number])[]): void {
  const srv = targets.map(([target, port]) => ({ type: 'SRV' as const, name, data: { target, port } }));
  records.set(`SRV ${name}`, srv);
}

const setTxt = (name: string, ...texts: string[]) =>
  records.set(
    `TXT ${name}`,
    texts.map((data) => ({ type: 'TXT' as const, name, data })),
  );

test('an SRV name is replaced by its hosts, and by the options of its TXT record', async () => {
  setSrv('_mongodb._tcp.fleet.db.test', [
    ['One.db.test', 27_018],
    ['two.db.test', 27_019],
  ]);
  setTxt('fleet.db.test', 'authSource=ships&replicaSet=rs0');
  const hosts = 'one.db.test:27018,two.db.test:27019';
  for (const [given, expected] of [
    ['mongodb+srv://fleet.db.test', `mongodb://${hosts}/?tls=true&authSource=ships&replicaSet=rs0`],
    [
      'mongodb+srv://a%40b:c%2F@fleet.db.test/log?tls=false&authSource=x',
      `mongodb://a%40b:c%2F@${hosts}/log?authSource=x&replicaSet=rs0&tls=false`,
    ],
    [
      'mongodb+srv://fleet.db.test/?srvMaxHosts=1',
      'mongodb://one.db.test:27018/?tls=true&authSource=ships&replicaSet=rs0',
    ],
    ['mongodb://fleet.db.test/?tls=true', 'mongodb://fleet.db.test/?tls=true'],
  ] as const)
    assert.equal(await names.plain(given), expected);
  assert.equal(srvHostIn('mongodb+srv://a:b@fleet.db.test/log'), 'fleet.db.test');
  assert.equal(srvHostIn('mongodb://fleet.db.test/log'), undefined);
});

test('names that cannot be resolved, and records that no driver accepts, are rejected with the reason', async () => {
  setSrv('_mongodb._tcp.foreign.db.test', [['one.other.test', 1]]);
  setSrv('_mongodb._tcp.twice.db.test', [['one.db.test', 1]]);
  setTxt('twice.db.test', 'authSource=a', 'authSource=b');
  setSrv('_mongodb._tcp.odd.db.test', [['one.db.test', 1]]);
  setTxt('odd.db.test', 'tls=false');
  for (const [name, reason] of [
    ['lost.db.test', /SRV record _mongodb\._tcp\.lost\.db\.test cannot be resolved: .*ENODATA/],
    ['foreign.db.test', /names one\.other\.test, which is not in the domain db\.test/],
    ['twice.db.test', /has several TXT records/],
    ['odd.db.test', /has the option tls/],
  ] as const)
    await assert.rejects(names.plain(`mongodb+srv://${name}`), reason);
});

test('a deployment is reached by names that only the DNS server has', async () => {
  const server = await otherServer(scope);
  const [host = ''] = server.hosts;
  setSrv('_mongodb._tcp.quay.db.test', [['only.db.test', Number(host.split(':')[1])]]);
  records.set('A only.db.test', [{ type: 'A', name: 'only.db.test', data: '127.0.0.1' }]);
  const login = server.uri.replace('mongodb://', '').replace(/@.*$/, '');
  const connectionString = `mongodb+srv://${login}@quay.db.test/?tls=false&directConnection=false`;
  const connection = { connectionString, names };
  const client = await clientOf(connection);
  try {
    const { topology, srvHost } = await inspect(client, { connection });
    assert.deepEqual([topology, srvHost], ['REPLICA_SET', 'quay.db.test']);
  } finally {
    await client.close();
  }
  // Names such as localhost are not in the DNS server.
  const plain = server.uri.replaceAll('127.0.0.1', 'localhost');
  const other = new MongoClient(plain, { ...LONG_TIMEOUTS, lookup: names.lookup });
  try {
    assert.equal((await other.db('admin').command({ ping: 1 })).ok, 1);
  } finally {
    await other.close();
  }
});
