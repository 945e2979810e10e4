import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedResponse, ha1 } from './response.ts';

/** The example of RFC 7616 section 3.9.1. */
const example = {
  username: 'Mufasa',
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  quality: { nc: '00000001', cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
  uri: '/dir/index.html',
};

for (const [algorithm, response] of [
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
] as const) {
  test(`the example of RFC 7616 is correct with ${algorithm}`, () => {
    const secret = ha1(algorithm, example.username, example.realm, 'Circle of Life');
    assert.equal(expectedResponse(secret, 'GET', { ...example, algorithm }), response);
    assert.notEqual(expectedResponse(secret, 'HEAD', { ...example, algorithm }), response);
  });
}

test('the example of RFC 2069, with its errata, is correct', () => {
  const given = {
    username: 'Mufasa',
    realm: 'testrealm@host.com',
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    uri: '/dir/index.html',
    algorithm: 'MD5',
    quality: undefined,
  } as const;
  const secret = ha1('MD5', given.username, given.realm, 'CircleOfLife');
  assert.equal(expectedResponse(secret, 'GET', given), '1949323746fe6a43ef61f9606e7febea');
});
