import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MemberSpec } from '../interface/engine.ts';
import { deploymentSpec, memberSpec } from '../testing.ts';
import { withMember } from './election.ts';
import { clusterView, leavingMembers, memberAddresses, newRecord, withSpec } from './topology.ts';

const spec = (members: readonly MemberSpec[]) => deploymentSpec({ members });
const three = [memberSpec(0), memberSpec(1), memberSpec(2)];
const states = (record: ReturnType<typeof newRecord>) =>
  clusterView(record, { advertise: 'db.test' }).members.map(({ state }) => state);

suite('topology', () => {
  test('the first electable member with the highest priority is primary', () => {
    assert.deepEqual(states(newRecord(spec(three), 's')), ['PRIMARY', 'SECONDARY', 'SECONDARY']);
    const preferred = [memberSpec(0), memberSpec(1, { priority: 8 }), memberSpec(2)];
    assert.deepEqual(states(newRecord(spec(preferred), 's')), ['SECONDARY', 'PRIMARY', 'SECONDARY']);
    const readers = [memberSpec(0, { kind: 'readOnly', priority: 9 }), memberSpec(1)];
    assert.deepEqual(states(newRecord(spec(readers), 's')), ['SECONDARY', 'PRIMARY']);
  });

  test('the same spec changes nothing, whatever the order of its fields', () => {
    const record = newRecord(spec(three), 's');
    const { members, ...rest } = spec(three);
    assert.equal(withSpec(record, { members, ...rest }), record);
  });

  test('remaining members keep their ports; the configuration is new, the primary the same', () => {
    const record = { ...newRecord(spec(three), 's'), ports: { [three[0]!.id]: 1, [three[2]!.id]: 3 } };
    const next = withSpec(record, spec([memberSpec(0), memberSpec(3)]));
    assert.deepEqual(next.ports, { [three[0]!.id]: 1 });
    assert.equal(next.configVersion, 2);
    assert.equal(next.term, 1);
  });

  test('another primary increases the term', () => {
    const next = withSpec(newRecord(spec(three), 's'), spec([memberSpec(1), memberSpec(2)]));
    assert.deepEqual(states(next), ['PRIMARY', 'SECONDARY']);
    assert.equal(next.term, 2);
  });

  test('removed members are reported as leaving, unless they were stopped', () => {
    const before = withMember(newRecord(spec(three), 's'), three[1]!.id, false);
    const next = withSpec(before, spec([memberSpec(2), memberSpec(3)]));
    const leaving = leavingMembers(before, next, { advertise: 'db.test' }).map(({ id, state }) => [
      id,
      state,
    ]);
    assert.deepEqual(leaving, [[three[0]!.id, 'LEAVING']]);
  });

  test('a stopped member is down and loses its role and its vote', () => {
    const down = withMember(newRecord(spec(three), 's'), three[0]!.id, false);
    assert.deepEqual(states(down), ['DOWN', 'PRIMARY', 'SECONDARY']);
    assert.equal(down.term, 2);
    assert.deepEqual(states(withMember(down, three[1]!.id, false)), ['DOWN', 'DOWN', 'SECONDARY']);
  });

  test('read-only members have no vote', () => {
    const readers = [
      memberSpec(0),
      memberSpec(1, { kind: 'readOnly' }),
      memberSpec(2, { kind: 'analytics' }),
    ];
    const record = newRecord(spec(readers), 's');
    const alone = withMember(withMember(record, readers[1]!.id, false), readers[2]!.id, false);
    assert.deepEqual(states(alone), ['PRIMARY', 'DOWN', 'DOWN']);
    assert.equal(alone.term, 1);
  });

  test('the primary follows the priorities, and stays among equals', () => {
    const record = newRecord(spec(three), 's');
    const moved = withMember(withMember(record, three[0]!.id, false), three[0]!.id, true);
    assert.deepEqual(states(moved), ['SECONDARY', 'PRIMARY', 'SECONDARY']);
    const preferred = [memberSpec(0, { priority: 8 }), memberSpec(1), memberSpec(2)];
    const away = withMember(newRecord(spec(preferred), 's'), preferred[0]!.id, false);
    const back = withMember(away, preferred[0]!.id, true);
    assert.deepEqual(states(back), ['PRIMARY', 'SECONDARY', 'SECONDARY']);
    assert.equal(back.term, 3);
  });

  test('members are reported at their future ports before they listen', () => {
    const wanted = [27_200, 27_201].map((port, i) => ({ ...memberSpec(i), port }));
    const { members } = clusterView(newRecord(spec(wanted), 's'), { advertise: '127.0.0.1' });
    assert.deepEqual(
      members.map(({ port }) => port),
      [27_200, 27_201],
    );
  });

  test('without an electable member there is no primary', () => {
    const next = withSpec(newRecord(spec(three), 's'), spec([memberSpec(1, { priority: 0 })]));
    assert.deepEqual(states(next), ['SECONDARY']);
  });

  test('members with names are known by them below a domain, and addressed as before', () => {
    const names = ['ship-shard-00-01.mark', 'ship-shard-00-01-mark'];
    const record = newRecord(spec([memberSpec(0), memberSpec(1, { names })]), 's');
    const naming = { advertise: '192.0.2.1', domain: 'harbour.test' };
    const hosts = (settings: Parameters<typeof clusterView>[1]) =>
      clusterView(record, settings).members.map(({ host, otherHosts }) => [host, otherHosts]);
    const [first, second] = names.map((name) => `${name}.harbour.test`);
    assert.deepEqual(hosts(naming), [
      ['192.0.2.1', undefined],
      [first, [second]],
    ]);
    assert.deepEqual(hosts({ advertise: '192.0.2.1' })[1], ['192.0.2.1', undefined]);
    const placed = { ...record, ports: { [memberSpec(1).id]: 27_105 } };
    assert.equal(memberAddresses(placed, '192.0.2.1')[0]?.host, '192.0.2.1');
  });

  test('members are reported under the advertised name, once they have a port', () => {
    const record = { ...newRecord(spec(three), 's'), ports: { [three[1]!.id]: 27_105 } };
    assert.deepEqual(memberAddresses(record, 'db.test'), [
      { id: three[1]!.id, host: 'db.test', port: 27_105 },
    ]);
  });
});
