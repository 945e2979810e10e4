import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { Binary } from 'bson';
import { CertificateTrust } from '../access/certificate-trust.ts';
import { scramVerifier } from '../access/scram.ts';
import { ServerError } from '../errors/server-error.ts';
import { Login, type LoginAttempt } from './login.ts';

const sha1 = await scramVerifier('sha1', 'digest', Buffer.alloc(16));
const old = { username: 'old', database: 'admin', roles: [], scram: { sha1 } };

function login(attempts: LoginAttempt[] = []): Login {
  const find = (_database: string, username: string) => (username === 'old' ? old : undefined);
  const accounts = { find, decoySecret: 'decoy', trust: new CertificateTrust(), now: Date.now };
  return new Login(accounts, systemRandom(), (attempt) => attempts.push(attempt));
}

const first = (mechanism: string, username = 'old') => ({
  mechanism,
  payload: new Binary(Buffer.from(`n,,n=${username},r=fyko+d2lbbFgONRv9qkxdawL`)),
  database: 'admin',
  skipEmptyExchange: true,
});

suite('a user with one mechanism', () => {
  test('starts a login with that mechanism', () => {
    assert.equal(login().start(first('SCRAM-SHA-1')).done, false);
  });

  test('fails at once with another mechanism, and the attempt is recorded', () => {
    const attempts: LoginAttempt[] = [];
    assert.throws(() => login(attempts).start(first('SCRAM-SHA-256')), ServerError);
    assert.match(String(attempts[0]?.failure), /^MechanismUnavailable: .* without any SCRAM-SHA-256/);
  });

  test('records no failed login if the driver only guessed the mechanism', () => {
    const attempts: LoginAttempt[] = [];
    const guess = { ...first('SCRAM-SHA-256'), speculative: true };
    assert.throws(() => login(attempts).start(guess), ServerError);
    assert.deepEqual(attempts, []);
  });
});

test('does not reveal that a user is unknown', () => {
  for (const mechanism of ['SCRAM-SHA-1', 'SCRAM-SHA-256']) {
    assert.equal(login().start(first(mechanism, 'nobody')).done, false);
  }
});
