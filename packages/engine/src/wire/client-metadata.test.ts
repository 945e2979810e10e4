import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import type { Document } from 'bson';
import { memberSpec } from '../testing.ts';
import { ConnectedCluster } from './cluster.ts';
import { ConnectionLimiter } from './connection-limiter.ts';
import { WireClient } from './testing.ts';

let cluster: ConnectedCluster;
let port: number;
let routerPort: number;
const driver = { name: 'd', version: '1' };
const os = { type: 'Linux' };

before(async () => {
  const view = {
    clusterId: 'c1',
    replicaSetName: 'set-1',
    majorVersion: '8.0',
    members: [
      { ...memberSpec(0), host: '127.0.0.1', port: 27100, state: 'PRIMARY' as const },
      {
        ...memberSpec(1),
        host: '127.0.0.1',
        port: 27101,
        state: 'PRIMARY' as const,
        kind: 'router' as const,
      },
    ],
    configVersion: 1,
    term: 1,
    managed: true,
    access: { revision: 1, addresses: ['127.0.0.1/32'], users: [] },
    decoySecret: 'decoy',
  };
  cluster = new ConnectedCluster(view, {
    random: systemRandom(),
    now: () => 0,
    nextConnectionId: () => 1,
    limiter: new ConnectionLimiter(Number.POSITIVE_INFINITY, () => 1),
    observe: () => {},
    onRejected: () => {},
    after: () => () => {},
  });
  port = await cluster.listen({ memberId: 'shard-00-00', host: '127.0.0.1', port: 0 });
  routerPort = await cluster.listen({ memberId: 'shard-00-01', host: '127.0.0.1', port: 0 });
});
after(() => cluster.close());

/** Sends `hello` commands on one connection. Returns the error code of each reply, or undefined for a success. */
async function codesOf(...greetings: Document[]): Promise<Array<number | undefined>> {
  return codesAt(port, ...greetings);
}

async function codesAt(at: number, ...greetings: Document[]): Promise<Array<number | undefined>> {
  const connection = await WireClient.connect(at);
  const codes: Array<number | undefined> = [];
  for (const greeting of greetings) {
    const { code } = await connection.command({ hello: 1, $db: 'admin', ...greeting });
    codes.push(code);
  }
  connection.end();
  return codes;
}

describe('client metadata', () => {
  it('are accepted only in the first hello command of a connection', async () => {
    const client = { driver, os };
    assert.deepEqual(await codesOf({ client }, {}, { client }, {}), [undefined, undefined, 186, undefined]);
    assert.deepEqual(await codesOf({}, { client }), [undefined, 186]);
  });

  it('have at most 512 bytes on routers', async () => {
    const client = { driver, os, platform: 'x'.repeat(512) };
    assert.deepEqual(await codesAt(routerPort, { client }, {}), [185, undefined]);
    assert.deepEqual(await codesAt(port, { client }), [undefined]);
  });

  const cases: ReadonlyArray<readonly [string, unknown, number | undefined]> = [
    [
      'an application with the longest name',
      { application: { name: 'x'.repeat(128) }, driver, os },
      undefined,
    ],
    ['no fields', {}, undefined],
    ['unknown fields', { driver, os: { ...os, name: 'y' }, platform: 5, env: {} }, undefined],
    ['an application without a name', { application: {}, driver, os }, undefined],
    ['no document', 'x', 14],
    ['an empty array', [], 183],
    ['an operating system that is an array', { driver, os: ['Linux'] }, 183],
    ['no driver', { os }, 183],
    ['a driver without a version', { driver: { name: 'd' }, os }, 183],
    ['a driver that is no document', { driver: 1, os }, 14],
    ['a version that is no string', { driver: { ...driver, version: 1 }, os }, 14],
    ['no operating system', { driver }, 183],
    ['an operating system without a type', { driver, os: {} }, 183],
    ['an application that is no document', { application: 1, driver, os }, 14],
    ['a name that is no string', { application: { name: 1 }, driver, os }, 14],
    ['a name that is too long', { application: { name: 'é'.repeat(65) }, driver, os }, 184],
    ['more than 1024 bytes', { driver, os, platform: 'x'.repeat(1024) }, 185],
  ];
  for (const [name, client, code] of cases) {
    it(`with ${name} ${code === undefined ? 'are valid' : `fail with ${code}`}`, async () => {
      assert.deepEqual(await codesOf({ client }), [code]);
    });
  }
});
