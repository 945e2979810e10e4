import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { codeUrl, hashRecoveryCode, newCodeSecret, newRecoveryCodes, stepOfCode } from './codes.ts';

/** The secret and a code of RFC 6238, appendix B. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const CODE = '287082';

test('a code is right in its time step and in the neighboring ones', () => {
  const at = (seconds: number) => stepOfCode(SECRET, CODE, seconds * 1000);
  assert.deepEqual([0, 30, 59, 60, 89].map(at), [1, 1, 1, 1, 1]);
  assert.deepEqual([90, 3600].map(at), [undefined, undefined]);
  assert.equal(stepOfCode(SECRET, '287 082', 59_000), 1);
  for (const text of ['', '28708', '2870820', 'harbor', `${CODE}${CODE}`])
    assert.equal(stepOfCode(SECRET, text, 59_000), undefined);
});

test('secrets have 160 bits, and their URLs name the service and the person', () => {
  const secret = newCodeSecret(systemRandom());
  assert.match(secret, /^[A-Z2-7]{32}$/);
  const url = new URL(codeUrl(secret, 'ada@example.org'));
  assert.equal(decodeURIComponent(url.pathname).endsWith('Portolan:ada@example.org'), true);
  assert.deepEqual([url.searchParams.get('secret'), url.searchParams.get('issuer')], [secret, 'Portolan']);
});

test('recovery codes are distinct, and may be typed without hyphens and in capitals', () => {
  const codes = newRecoveryCodes(systemRandom());
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) {
    assert.match(code, /^[a-hjkmnp-tv-z0-9]{4}(-[a-hjkmnp-tv-z0-9]{4}){3}$/);
    assert.equal(hashRecoveryCode(code.toUpperCase().replaceAll('-', ' ')), hashRecoveryCode(code));
  }
});
