import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDigestHeader } from './header.ts';

const parts = {
  username: '"abcdefgh"',
  realm: '"Project Administration API"',
  nonce: '"n0nce/+="',
  uri: '"/api/service/v2/groups?pretty=true"',
  response: '"0123456789abcdef0123456789ABCDEF"',
  algorithm: 'MD5',
  qop: 'auth',
  nc: '0000000a',
  cnonce: '"c"',
};

function header(
  changes: Partial<Record<keyof typeof parts | 'userhash' | 'opaque', string | undefined>> = {},
): string {
  const all = Object.entries({ ...parts, ...changes });
  return all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])).join(', ');
}

test('a header as clients send it is parsed', () => {
  assert.deepEqual(parseDigestHeader(header()), {
    username: 'abcdefgh',
    realm: 'Project Administration API',
    nonce: 'n0nce/+=',
    uri: '/api/service/v2/groups?pretty=true',
    response: '0123456789abcdef0123456789abcdef',
    algorithm: 'MD5',
    quality: { nc: '0000000a', cnonce: 'c' },
  });
});

test('a header in the RFC 2069 form is parsed if it has no parameter of qop', () => {
  const old = { qop: undefined, nc: undefined, cnonce: undefined };
  assert.deepEqual(parseDigestHeader(header(old)), { ...parseDigestHeader(header()), quality: undefined });
  assert.equal(parseDigestHeader(header({ ...old, algorithm: 'SHA-256' })), undefined);
});

test('quotes, case, spaces and empty elements do not matter', () => {
  const loose =
    ',Username="abcdefgh" ,, realm = "r",nonce=n,uri=/x, RESPONSE=aa,algorithm="md5",qop="auth",nc=00000001 ,cnonce=c,';
  assert.equal(parseDigestHeader(loose)?.username, 'abcdefgh');
  assert.equal(parseDigestHeader(loose)?.uri, '/x');
});

test('commas and escapes in quotes are part of the value', () => {
  assert.equal(parseDigestHeader(header({ cnonce: '"a,b=\\"c\\\\"' }))?.quality?.cnonce, 'a,b="c\\');
  assert.equal(parseDigestHeader(header({ cnonce: '""' }))?.quality?.cnonce, '');
});

test('the default algorithm is MD5, and SHA-256 is supported', () => {
  assert.equal(parseDigestHeader(header({ algorithm: undefined }))?.algorithm, 'MD5');
  assert.equal(parseDigestHeader(header({ algorithm: 'sha-256' }))?.algorithm, 'SHA-256');
});

for (const [what, changes] of Object.entries({
  'a count without qop': { qop: undefined },
  'another qop': { qop: 'auth-int' },
  'another algorithm': { algorithm: 'SHA-512-256' },
  'a session algorithm': { algorithm: 'MD5-sess' },
  'a hashed user name': { userhash: 'true' },
  'no user name': { username: undefined },
  'no client nonce': { cnonce: undefined },
  'no count': { nc: undefined },
  'a count of zero': { nc: '00000000' },
  'a count that is not a number': { nc: '0000000g' },
  'a short count': { nc: '1' },
  'a response that is not a hash': { response: '"xyz"' },
  'a very long name': { username: `"${'a'.repeat(257)}"` },
  'an open quote': { opaque: '"abc' },
  'a value that is missing': { opaque: '' },
})) {
  test(`rejects ${what}`, () => assert.equal(parseDigestHeader(header(changes)), undefined));
}

test('rejects a repeated parameter', () => {
  assert.equal(parseDigestHeader(`${header()}, uri="/other"`), undefined);
  assert.equal(parseDigestHeader(`${header()}, URI="/other"`), undefined);
});

test('parsing takes linear time even for a hostile header', () => {
  const spent: number[] = [];
  // Measure several attempts and use the least CPU time, because the time of one attempt may include garbage
  // collections, and stalls of a virtual machine.
  while (spent.length < 10 && !spent.some((time) => time < 500_000)) {
    const before = process.threadCpuUsage();
    assert.equal(parseDigestHeader(`username="${'\\"'.repeat(8000)}`), undefined);
    assert.equal(parseDigestHeader(`${','.repeat(16_000)}=`), undefined);
    const { user, system } = process.threadCpuUsage(before);
    spent.push(user + system);
  }
  assert.ok(Math.min(...spent) < 500_000, `${spent} µs`);
});
