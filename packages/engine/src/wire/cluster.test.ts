import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { machineClock } from '@portolan/foundation/clock';
import { systemRandom } from '@portolan/foundation/random';
import { Binary, type Document, Long, serialize, Timestamp } from 'bson';
import { scramCredentials } from '../access/scram.ts';
import type { ScramCredentials } from '../interface/engine.ts';
import { ConnectedCluster } from './cluster.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { body, opMsg, opQuery, WireClient, wireMessage } from './testing.ts';
import type { ThreadServices } from './thread-services.ts';
import type { ClusterView, MemberView } from './view.ts';
import type { Answered, UnsentRequest, WorkerLink } from './worker-link.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function member(id: string, more: Partial<MemberView>): MemberView {
  const place = { provider: 'AWS', region: 'EU_WEST_1', shard: 0, host: '127.0.0.1', port: 27100 };
  return { id, kind: 'electable', priority: 7, state: 'SECONDARY', ...place, ...more };
}

const members = [
  member('shard-00-00', { port: 27100, state: 'PRIMARY' }),
  member('shard-00-01', { port: 27101 }),
  member('shard-00-02', { port: 27102, kind: 'analytics', priority: 0 }),
];

const clock = machineClock();
const refused: string[] = [];
const logins: Document[] = [];
let connections = 0;
const services: ThreadServices = {
  random: systemRandom(),
  now: () => NOW,
  after: (ms, run) => clock.after(ms, run),
  nextConnectionId: () => ++connections,
  limiter: new ConnectionLimiter(Number.POSITIVE_INFINITY, () => 1),
  observe: (_, observation) => void (observation.kind === 'login' && logins.push(observation.login)),
  onRejected: ({ reason }) => void refused.push(reason),
};
let cluster: ConnectedCluster;
let scram: ScramCredentials;
const ports = new Map<string, number>();

const view = (more: Partial<ClusterView> = {}, addresses = ['127.0.0.1/32']): ClusterView => ({
  clusterId: 'c1',
  replicaSetName: 'set-1',
  majorVersion: '8.0',
  members,
  configVersion: 3,
  term: 2,
  managed: true,
  access: { revision: 1, addresses, users: [{ username: 'ada', database: 'admin', roles: [], scram }] },
  decoySecret: 'decoy',
  ...more,
});
const withoutTimes = ({ $clusterTime: _, operationTime: __, ...rest }: Document = {}) => rest;
const connect = (memberId = 'shard-00-00') => WireClient.connect(ports.get(memberId) as number);

before(async () => {
  scram = await scramCredentials('ada', 'pencil', systemRandom());
  cluster = new ConnectedCluster(view(), services);
  for (const { id } of members) {
    ports.set(id, await cluster.listen({ memberId: id, host: '127.0.0.1', port: 0 }));
  }
});
after(() => cluster.close());

test('the reply of the primary to hello contains all fields that drivers use', async () => {
  const client = await connect();
  const { connectionId, lastWrite, electionId, localTime, topologyVersion, operationTime, ...answer } =
    await client.command({ hello: 1, $db: 'admin', helloOk: true });
  client.end();
  const { $clusterTime, ...rest } = answer;
  assert.equal(operationTime.high, Math.floor(NOW / 1000));
  assert.deepEqual($clusterTime.clusterTime, operationTime);
  assert.equal(typeof connectionId, 'number');
  assert.equal(topologyVersion.processId.toHexString().length, 24);
  assert.equal(electionId.toHexString(), '7fffffff0000000000000002');
  assert.equal(localTime.getTime(), NOW);
  assert.equal(lastWrite.lastWriteDate.getTime(), NOW - 678);
  assert.deepEqual(rest, {
    helloOk: true,
    hosts: ['127.0.0.1:27100', '127.0.0.1:27101'],
    passives: ['127.0.0.1:27102'],
    setName: 'set-1',
    setVersion: 3,
    isWritablePrimary: true,
    secondary: false,
    primary: '127.0.0.1:27100',
    me: '127.0.0.1:27100',
    tags: { nodeType: 'ELECTABLE', provider: 'AWS', region: 'EU_WEST_1' },
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    logicalSessionTimeoutMinutes: 30,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
    ok: 1,
  });
});

test('replies to hello report the newest write of the query thread', async () => {
  cluster.setLastWrite({ clusterId: 'c1', seconds: 1_767_000_000, increment: 3, wall: 1_767_000_000_250 });
  const client = await connect();
  const { lastWrite, operationTime } = await client.command({ hello: 1, $db: 'admin' });
  const failed = await client.command({ saslContinue: 1, $db: 'admin' });
  client.end();
  cluster.lastWrite = undefined;
  assert.deepEqual([operationTime, failed.operationTime], [lastWrite.opTime.ts, lastWrite.opTime.ts]);
  const { ts, t } = lastWrite.opTime;
  assert.deepEqual([ts.high, ts.low, Number(t)], [1_767_000_000, 3, 2]);
  assert.deepEqual(lastWrite.majorityOpTime, lastWrite.opTime);
  assert.equal(lastWrite.lastWriteDate.getTime(), 1_767_000_000_000);
});

test('a member that is never elected is passive', async () => {
  const client = await connect('shard-00-02');
  const answer = await client.command({ hello: 1, $db: 'admin' });
  client.end();
  assert.equal(answer.isWritablePrimary, false);
  assert.equal(answer.secondary, true);
  assert.equal(answer.passive, true);
  assert.equal(answer.electionId, undefined);
  assert.equal(answer.primary, '127.0.0.1:27100');
  assert.equal(answer.tags.nodeType, 'ANALYTICS');
});

test('no reply to hello lists a hidden member, and its own reply says that it is hidden', async () => {
  const [first, second] = members as [MemberView, MemberView];
  cluster.configure(view({ members: [first, { ...second, priority: 0, hidden: true }] }));
  const client = await connect('shard-00-01');
  const answer = await client.command({ hello: 1, $db: 'admin' });
  client.end();
  assert.deepEqual([answer.hosts, answer.passives], [['127.0.0.1:27100'], undefined]);
  assert.deepEqual([answer.hidden, answer.passive, answer.secondary], [true, true, true]);
  cluster.configure(view());
});

for (const [version, wire] of Object.entries({ '5.0': 13, '6.0': 17, '7.0': 21, '8.0': 25, '8.2': 27 })) {
  test(`version ${version} announces wire version ${wire}`, async () => {
    cluster.configure(view({ majorVersion: version }));
    const client = await connect();
    assert.equal((await client.command({ hello: 1, $db: 'admin' })).maxWireVersion, wire);
    client.end();
    cluster.configure(view());
  });
}

test('replies to the legacy hello in OP_QUERY with its own field names', async () => {
  const client = await connect();
  const answer = client.receive();
  client.send(opQuery('admin.$cmd', serialize({ ismaster: 1 })));
  assert.equal((await answer).ismaster, true);
  client.end();
});

test('replies to a compressed hello with the compressors that both sides know', async () => {
  const client = await connect();
  const answer = client.receive();
  const hello = opMsg(0, body(serialize({ hello: 1, compression: ['lz4', 'zstd'], $db: 'admin' })));
  const head = Buffer.alloc(9);
  head.writeInt32LE(2013, 0);
  head.writeInt32LE(hello.length - 16, 4);
  head[8] = 2;
  client.send(wireMessage(2012, head, deflateSync(hello.subarray(16))));
  assert.deepEqual((await answer).compression, ['zstd']);
  client.end();
});

test('rejects any other OP_QUERY by name', async () => {
  const client = await connect();
  const answer = client.receive();
  client.send(opQuery('admin.$cmd', serialize({ find: 'a' })));
  assert.deepEqual(withoutTimes(await answer), {
    ok: 0,
    errmsg: 'Unsupported OP_QUERY command: find',
    code: 352,
    codeName: 'UnsupportedOpQueryCommand',
  });
  client.end();
});

test('rejects an OP_QUERY with an unknown command without decoding it', async () => {
  const client = await connect();
  const answer = client.receive();
  const query = Buffer.from(serialize({ find: 'a', filter: { x: 1 } }));
  // Replace the type of `x` with a BSON type that does not exist. A server that decoded the filter would report this.
  query[query.indexOf('x\0') - 1] = 0x70;
  client.send(opQuery('admin.$cmd', query));
  assert.equal((await answer).code, 352);
  client.end();
});

test('replies in order to several messages in one packet', async () => {
  const client = await connect();
  const hello = opMsg(0, body(serialize({ hello: 1, $db: 'admin' })));
  const logout = opMsg(0, body(serialize({ logout: 1, $db: 'admin' })));
  const answers = [client.receive(), client.receive()];
  client.send(Buffer.concat([hello, logout]));
  const [first, second] = await Promise.all(answers);
  assert.equal(first?.setName, 'set-1');
  assert.deepEqual(withoutTimes(second), { ok: 1 });
  client.end();
});

// A `hello` with a string whose length exceeds the document.
const brokenHello = Buffer.from('110000000268656c6c6f00ffffff7f0000', 'hex');
const malformed: ReadonlyArray<readonly [what: string, bytes: Buffer]> = [
  ['a length that is too small', Buffer.from('0f000000', 'hex')],
  ['a length that is too great before login', Buffer.from('01000100', 'hex')],
  ['an unknown opcode', wireMessage(2001, Buffer.alloc(9))],
  ['sections that do not fit', opMsg(0, Buffer.from('0005', 'hex'))],
  ['a body that is no document', opMsg(0, body(Buffer.from('0c0000000268656c6c6f0000', 'hex')))],
  ['a hello with a broken field', opMsg(0, body(brokenHello))],
];
for (const [what, bytes] of malformed) {
  test(`${what} closes only its own connection`, async () => {
    const [bad, good] = [await connect(), await connect()];
    bad.send(bytes);
    await bad.closed;
    assert.equal((await good.command({ hello: 1, $db: 'admin' })).ok, 1);
    good.end();
  });
}

test('closes connections from addresses that are not listed, or no longer listed', async () => {
  const early = await connect();
  assert.equal((await early.command({ hello: 1, $db: 'admin' })).ok, 1);
  cluster.configure(view({}, ['192.0.2.0/24']));
  await early.closed;
  const late = await connect();
  await late.closed;
  cluster.configure(view());
});

test('offers an unknown user the same mechanisms as a known one', async () => {
  const client = await connect();
  const known = await client.command({ hello: 1, $db: 'admin', saslSupportedMechs: 'admin.ada' });
  const unknown = await client.command({ hello: 1, $db: 'admin', saslSupportedMechs: 'admin.eve' });
  client.end();
  assert.deepEqual(known.saslSupportedMechs, ['SCRAM-SHA-1', 'SCRAM-SHA-256']);
  assert.deepEqual(unknown.saslSupportedMechs, known.saslSupportedMechs);
});

test('hello rejects an invalid user name in saslSupportedMechs', async () => {
  const client = await connect();
  for (const [asked, code] of [
    ['ada', 2],
    [{ db: 'admin' }, 2],
    [1, 14],
    [null, 14],
  ]) {
    const refused = await client.command({ hello: 1, $db: 'admin', saslSupportedMechs: asked });
    assert.equal(refused.code, code);
  }
  client.end();
});

const signature = { hash: new Binary(Buffer.alloc(20)), keyId: Long.ZERO };
/** Arguments of all commands, and the codes with which they fail; 0 if they are valid. */
const generic: ReadonlyArray<readonly [Document, number]> = [
  [{ $clusterTime: { clusterTime: new Timestamp({ t: 4_000_000_000, i: 1 }), signature } }, 0],
  [{ $clusterTime: 1 }, 14],
  [{ $clusterTime: { clusterTime: 1, signature } }, 14],
  [{ lsid: 1 }, 14],
  [{ txnNumber: 'one' }, 14],
  [{ stmtId: 'one' }, 14],
  [{ stmtId: 1 }, 0],
  [{ autocommit: 1 }, 14],
  [{ maxTimeMS: -1 }, 2],
  [{ maxTimeMS: 'long' }, 14],
  [{ apiVersion: '2' }, 322],
  [{ apiVersion: 1 }, 14],
  [{ apiStrict: true }, 4_886_600],
  [{ readConcern: { level: 'local' } }, 0],
  [{ readConcern: { level: 'majority' } }, 72],
  [{ writeConcern: { w: 1 } }, 72],
  [{ $readPreference: 1 }, 14],
];

for (const command of [{ hello: 1 }, { isMaster: 1 }, { ismaster: 1 }, { logout: 1 }, { saslContinue: 1 }]) {
  const [name = ''] = Object.keys(command);
  test(`${name} rejects invalid arguments that all commands have`, async () => {
    const client = await connect();
    const valid = (await client.command({ ...command, $db: 'admin' })).code ?? 0;
    for (const [given, code] of generic) {
      const answer = await client.command({ ...command, ...given, $db: 'admin' });
      assert.equal(answer.code ?? 0, code === 0 ? valid : code, JSON.stringify(given));
    }
    client.end();
  });
}

test('an unknown user and a wrong password fail in the same way, at the second step', async () => {
  const answers: Document[] = [];
  for (const username of ['ada', 'eve']) {
    const client = await connect();
    const payload = new Binary(Buffer.from(`n,,n=${username},r=abc`));
    const first = await client.command({ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload, $db: 'admin' });
    assert.equal(first.done, false);
    const nonce = /^r=([^,]+),s=[^,]+,i=15000$/.exec(first.payload.toString())?.[1];
    const proof = `c=biws,r=${nonce},p=${Buffer.alloc(32).toString('base64')}`;
    const last = {
      saslContinue: 1,
      conversationId: 1,
      payload: new Binary(Buffer.from(proof)),
      $db: 'admin',
    };
    answers.push(withoutTimes(await client.command(last)));
    client.end();
  }
  assert.deepEqual(answers[0], {
    ok: 0,
    errmsg: 'Authentication failed.',
    code: 18,
    codeName: 'AuthenticationFailed',
  });
  assert.deepEqual(answers[1], answers[0]);
  assert.deepEqual(
    logins.slice(-2).map(({ username, failure }) => [username, failure]),
    [
      ['ada', 'AuthenticationFailed: proof does not match'],
      ['eve', 'UserNotFound: Could not find user "eve" for db "admin"'],
    ],
  );
});

const misuse: ReadonlyArray<readonly [Document, code: number]> = [
  [{ saslStart: 1, mechanism: 'PLAIN', payload: new Binary(Buffer.from('x')), $db: 'admin' }, 334],
  [{ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: 5, $db: 'admin' }, 14],
  [{ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: new Binary(Buffer.from('x')), $db: 'admin' }, 18],
  [{ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: new Binary(Buffer.from('x')) }, 40571],
  [{ saslContinue: 1, conversationId: 1, payload: new Binary(Buffer.from('x')), $db: 'admin' }, 17],
  [{ createUser: 'x', pwd: 'y', roles: [], $db: 'admin' }, 13],
];
for (const [command, code] of misuse) {
  test(`${JSON.stringify(command)} returns ${code}`, async () => {
    const client = await connect();
    const answer = await client.command(command);
    client.end();
    assert.equal(answer.code, code);
  });
}

test('sends the whole request again for each batch of an exhaust cursor', async () => {
  const open = view();
  const own = new ConnectedCluster({ ...open, access: { ...open.access, open: true } }, services);
  const sizes: number[] = [];
  own.route({
    closed: false,
    gone() {},
    send({ sections }: UnsentRequest, { reply }: Answered) {
      sizes.push(sections.byteLength);
      // Transfer the buffer, as the channel to a query thread does with the buffers of large requests.
      structuredClone(sections, { transfer: [sections.buffer as ArrayBuffer] });
      reply(serialize({ cursor: { id: sizes.length < 3 ? 7n : 0n }, ok: 1 }));
    },
  } as unknown as WorkerLink);
  const port = await own.listen({ memberId: 'shard-00-00', host: '127.0.0.1', port: 0 });
  const client = await WireClient.connect(port);
  const replies = [client.receive(), client.receive(), client.receive()];
  const getMore = { getMore: 7n, collection: 'c', comment: 'x'.repeat(100_000), $db: 'test' };
  const request = body(serialize(getMore));
  client.send(opMsg(1 << 16, request));
  await Promise.all(replies);
  client.end();
  await own.close();
  assert.deepEqual(sizes, [request.length, request.length, request.length]);
});

test('closes and counts connections above the limit until the limit increases', async () => {
  cluster.configure(view({ mostConnections: 1 }));
  const memberId = 'shard-00-02';
  const first = await connect(memberId);
  await first.command({ hello: 1, $db: 'admin' });
  const second = await connect(memberId);
  await assert.rejects(second.command({ hello: 1, $db: 'admin' }));
  const { current, most, rejected } = cluster.trafficFacts(memberId, false);
  assert.deepEqual([current, most, rejected], [1, 1, 1]);
  cluster.configure(view({ mostConnections: 2 }));
  const third = await connect(memberId);
  assert.equal((await third.command({ hello: 1, $db: 'admin' })).ok, 1);
  first.end();
  third.end();
  cluster.configure(view());
});
