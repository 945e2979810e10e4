import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memberSpec } from '../testing.ts';
import { hello } from './hello.ts';
import type { ClusterView, MemberView } from './view.ts';

const member = (index: number, port: number): MemberView => ({
  ...memberSpec(index, { id: `m${index}` }),
  host: '127.0.0.1',
  port,
  state: index === 0 ? 'PRIMARY' : 'SECONDARY',
});

const view = (...ports: number[]): ClusterView => ({
  clusterId: 'c1',
  replicaSetName: 'rs0',
  majorVersion: '8.0',
  members: ports.map((port, i) => member(i, port)),
  configVersion: 1,
  term: 1,
  managed: false,
  access: { revision: 1, addresses: [], users: [] },
  decoySecret: 'secret',
});

const ask = (cluster: ClusterView, id: string, legacy = false) =>
  hello(cluster, id, legacy, { connectionId: 1, now: 0 });

suite('hello before all ports are bound', () => {
  for (const [legacy, field] of [
    [false, 'isWritablePrimary'],
    [true, 'ismaster'],
  ] as const)
    test(`a member without a port is in no configured replica set (${field})`, () => {
      const reply = ask(view(0, 0), 'm0', legacy);
      assert.equal(reply[field], false);
      assert.equal(reply.isreplicaset, true);
      for (const absent of ['hosts', 'me', 'setName', 'primary'])
        assert.equal(reply[absent], undefined, absent);
    });

  test('a member lists those whose port is known', () => {
    const reply = ask(view(0, 27_017), 'm1');
    assert.deepEqual(reply.hosts, ['127.0.0.1:27017']);
    assert.equal(reply.primary, undefined);
    assert.equal(reply.secondary, true);
  });
});
