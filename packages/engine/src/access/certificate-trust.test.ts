import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { CertificateTrust, costOf } from './certificate-trust.ts';

test('a login verifies a limited number of signatures', async (t) => {
  const made: Awaited<ReturnType<typeof customerCertificate>>[] = [];
  for (let count = 0; count < 80; count++) made.push(await customerCertificate('CN=sailor'));
  const verified = t.mock.method(X509Certificate.prototype, 'verify');
  const user = {
    username: 'CN=sailor',
    database: '$external',
    roles: [],
    certificates: { authority: 'own' },
  };
  /**
   * Creates a trust in the first `authorities` authorities, all of which have the same name. Returns true if a
   * certificate of the last one can log the user in.
   */
  const isTrusted = (authorities: number) => {
    const own = made.slice(0, authorities);
    const trust = new CertificateTrust({ own: own.map(({ authority }) => authority).join('') });
    const certificate = new X509Certificate(own.at(-1)?.certificate ?? '');
    const client = { subject: 'CN=sailor', certificate, sent: [] };
    return trust.expiryFor(user, client, Date.now()) !== undefined;
  };
  assert.equal(isTrusted(50), true);
  verified.mock.resetCalls();
  assert.equal(isTrusted(80), false);
  assert.equal(verified.mock.callCount(), 64);
});

test('the chain of a client is verified once', async (t) => {
  const { authority, certificate } = await customerCertificate('CN=sailor');
  const verified = t.mock.method(X509Certificate.prototype, 'verify');
  const trust = new CertificateTrust({ own: authority });
  const client = { subject: 'CN=sailor', certificate: new X509Certificate(certificate), sent: [] };
  const user = {
    username: 'CN=sailor',
    database: '$external',
    roles: [],
    certificates: { authority: 'own' },
  };
  const expiry = trust.expiryFor(user, client, Date.now());
  assert.notEqual(expiry, undefined);
  assert.equal(trust.expiryFor(user, client, Date.now()), expiry);
  assert.equal(verified.mock.callCount(), 1);
});

test('keys that verify signatures slowly are not accepted', () => {
  const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  assert.equal(costOf(rsa), 1);
  const jwk = rsa.export({ format: 'jwk' });
  const exponent = Buffer.alloc(256, 1).toString('base64url');
  const slow = createPublicKey({ format: 'jwk', key: { ...jwk, e: exponent } });
  assert.equal(costOf(slow), Number.POSITIVE_INFINITY);
  const costs = ['P-256', 'P-521', 'brainpoolP512r1', 'sect571r1'].map((namedCurve) =>
    costOf(generateKeyPairSync('ec', { namedCurve }).publicKey),
  );
  assert.deepEqual(costs, [1, 2, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  assert.equal(costOf(generateKeyPairSync('ed25519').publicKey), 1);
});
