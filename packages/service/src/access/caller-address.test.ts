import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAddressAllowed } from './address-list.ts';
import type { Caller } from './caller.ts';
import { callerAddress, canonicalBlock, networkOf, singleAddress } from './caller-address.ts';

test('without trusted proxies the header is ignored', () => {
  const address = callerAddress([]);
  assert.equal(address('203.0.113.7', '198.51.100.1'), '203.0.113.7');
});

test('IPv4-mapped addresses are IPv4, and IPv6 addresses are normalized', () => {
  const address = callerAddress([]);
  assert.equal(address('::ffff:203.0.113.7', undefined), '203.0.113.7');
  assert.equal(address('2001:DB8:0:0:0:0:0:1', undefined), '2001:db8::1');
  assert.equal(address('fe80::1%eth0', undefined), 'fe80::1');
});

test('the header is read from its end as long as hops are trusted', () => {
  const address = callerAddress(['10.0.0.0/8', '::1', '2001:db8::/32']);
  assert.equal(address('10.1.2.3', '198.51.100.1'), '198.51.100.1');
  assert.equal(address('::ffff:10.1.2.3', '198.51.100.1'), '198.51.100.1');
  assert.equal(address('::1', '203.0.113.9, 198.51.100.1 , 10.9.9.9'), '198.51.100.1');
  assert.equal(address('192.0.2.1', '198.51.100.1'), '192.0.2.1', 'the peer is not a proxy');
  assert.equal(address('10.1.2.3', undefined), '10.1.2.3');
  assert.equal(address('10.1.2.3', '2001:db8::5, 10.0.0.1'), '2001:db8::5', 'all trusted: the first hop');
  assert.equal(address('10.1.2.3', '::ffff:198.51.100.1'), '198.51.100.1');
});

test('an invalid address in the header ends the search', () => {
  const address = callerAddress(['10.0.0.0/8']);
  assert.equal(address('10.1.2.3', '198.51.100.1, unknown'), '10.1.2.3');
  assert.equal(address('10.1.2.3', 'nonsense, 10.0.0.2'), '10.0.0.2');
  assert.equal(address('10.1.2.3', ''), '10.1.2.3');
});

test('addresses of one IPv6 network count as one, and IPv4 addresses for themselves', () => {
  assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(networkOf('2001:db8:0:7:1::5'), '2001:db8:0:7::/64');
  assert.equal(networkOf('2001:DB8:0:7:ffff:ffff:ffff:ffff'), '2001:db8:0:7::/64');
  assert.notEqual(networkOf('2001:db8:0:8::1'), networkOf('2001:db8:0:7::1'));
  assert.equal(networkOf('fe80::1%eth0'), 'fe80::/64');
  assert.equal(networkOf('nonsense'), 'nonsense');
});

test('an invalid trusted proxy is rejected by name', () => {
  assert.throws(() => callerAddress(['10.0.0.0/8', 'proxy.local']), /"proxy.local" is neither/);
  assert.throws(() => callerAddress(['10.0.0.0/33']), /"10.0.0.0\/33" is neither/);
});

function callerWith(...addresses: string[]): Caller {
  return {
    kind: 'apiKey',
    id: 'a',
    name: 'abcdefgh',
    orgId: 'o',
    grants: [],
    addresses,
    listRequired: false,
  };
}

test('a caller without an access list may call from anywhere, unless its organization requires one', () => {
  assertAddressAllowed(callerWith(), '198.51.100.1');
  assert.throws(() => assertAddressAllowed({ ...callerWith(), listRequired: true }, '198.51.100.1'), {
    code: 'ORG_REQUIRES_ACCESS_LIST',
    status: 403,
    parameters: ['198.51.100.1'],
  });
});

test('a caller with an access list may call from its addresses only', () => {
  const caller = callerWith('203.0.113.0/24', '198.51.100.1/32', '2001:db8::/48');
  for (const address of ['203.0.113.255', '198.51.100.1', '::ffff:198.51.100.1', '2001:db8:0:ffff::9']) {
    assertAddressAllowed(caller, address);
  }
  for (const address of ['203.0.114.0', '198.51.100.2', '2001:db8:1::9', 'nonsense']) {
    assert.throws(() => assertAddressAllowed(caller, address), {
      code: 'IP_ADDRESS_NOT_ON_ACCESS_LIST',
      status: 403,
      parameters: [address],
    });
  }
});

test('blocks are normalized', () => {
  for (const [given, canonical] of [
    ['192.0.2.7', '192.0.2.7/32'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['2001:DB8:0:0::9', '2001:db8::9/128'],
    ['2001:db8::/48', '2001:db8::/48'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['192.0.2', undefined],
    ['192.0.2.0/33', undefined],
    ['fe80::1%eth0', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(canonicalBlock(given), canonical, given);
  }
  assert.equal(singleAddress('192.0.2.7/32'), '192.0.2.7');
  assert.equal(singleAddress('2001:db8::9/128'), '2001:db8::9');
  assert.equal(singleAddress('2001:db8::/32'), undefined);
});
