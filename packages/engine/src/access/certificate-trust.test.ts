import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { CertificateTrust } from './certificate-trust.ts';

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
