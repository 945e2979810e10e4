import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { scramCredentials, scramVerifier, UnusablePassword } from './scram.ts';
import { parseClientFirst, ScramFailure, scramExchange } from './scram-conversation.ts';
import { decoyVerifier } from './scram-hash.ts';

/** The examples of RFC 5802, section 5, and RFC 7677, section 3: user `user`, password `pencil`. */
const vectors = [
  {
    hash: 'sha1',
    clientNonce: 'fyko+d2lbbFgONRv9qkxdawL',
    serverNonce: '3rfcNHYJY1ZVvWVs7j',
    salt: 'QSXCR+Q6sek8bf92',
    proof: 'v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=',
    serverSignature: 'rmF9pqV8S7suAoZWja4dJRkFsKQ=',
  },
  {
    hash: 'sha256',
    clientNonce: 'rOprNGfwEbeRWgbNEkqO',
    serverNonce: '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0',
    salt: 'W22ZaJ0SNY7soEsUEjb6gQ==',
    proof: 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
    serverSignature: '6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
  },
] as const;

suite('SCRAM', () => {
  for (const vector of vectors) {
    const start = async () => {
      const verifier = await scramVerifier(vector.hash, 'pencil', Buffer.from(vector.salt, 'base64'), 4096);
      const first = parseClientFirst(Buffer.from(`n,,n=user,r=${vector.clientNonce}`));
      return scramExchange(vector.hash, first, verifier, vector.serverNonce);
    };
    const nonce = vector.clientNonce + vector.serverNonce;

    test(`${vector.hash} follows the example of its RFC`, async () => {
      const exchange = await start();
      assert.equal(exchange.serverFirst.toString(), `r=${nonce},s=${vector.salt},i=4096`);
      const final = exchange.finish(Buffer.from(`c=biws,r=${nonce},p=${vector.proof}`));
      assert.equal(final.toString(), `v=${vector.serverSignature}`);
    });

    for (const [what, message] of [
      ['a wrong proof', `c=biws,r=${nonce},p=${Buffer.alloc(32).toString('base64')}`],
      ['a proof of the wrong length', `c=biws,r=${nonce},p=AAAA`],
      ['another nonce', `c=biws,r=${nonce}x,p=${vector.proof}`],
      ['another channel binding', `c=eSws,r=${nonce},p=${vector.proof}`],
      ['no proof', `c=biws,r=${nonce}`],
    ]) {
      test(`${vector.hash} rejects ${what}`, async () => {
        const exchange = await start();
        assert.throws(() => exchange.finish(Buffer.from(message as string)), ScramFailure);
      });
    }
  }

  test('names may contain commas and equals signs', () => {
    assert.equal(parseClientFirst(Buffer.from('n,,n=a=2Cb=3Dc,r=x')).username, 'a,b=c');
  });

  for (const text of ['', 'p=tls-unique,,n=a,r=x', 'n,,n=a=b,r=x', 'n,,r=x', 'n,,n=a,r=', 'n,,m=1,n=a,r=x']) {
    test(`the first message ${JSON.stringify(text)} is rejected`, () => {
      assert.throws(() => parseClientFirst(Buffer.from(text)), ScramFailure);
    });
  }

  test('credentials contain verifiers of both mechanisms, with a fresh salt each time', async () => {
    const made = await scramCredentials('ada', 'correct horse', systemRandom());
    const again = await scramCredentials('ada', 'correct horse', systemRandom());
    assert.equal(made.sha1.iterations, 10_000);
    assert.equal(made.sha256.iterations, 15_000);
    assert.equal(Buffer.from(made.sha1.salt, 'base64').length, 16);
    assert.equal(Buffer.from(made.sha256.salt, 'base64').length, 28);
    assert.notEqual(made.sha256.storedKey, again.sha256.storedKey);
  });

  test('a password that no driver can send is rejected', async () => {
    for (const password of [
      'tab\u0009',
      'bell\u0007',
      'nul\0',
      'own\ue000',
      '\u0627 and a',
      '\u00ad\u2060',
    ]) {
      await assert.rejects(scramCredentials('ada', password, systemRandom()), UnusablePassword);
    }
  });

  test('code points newer than SASLprep are accepted', async () => {
    const password = 'boat \u{1f6f6}\u{1fae0}';
    const { sha256 } = await scramCredentials('ada', password, systemRandom());
    assert.deepEqual(sha256, await scramVerifier('sha256', password, Buffer.from(sha256.salt, 'base64')));
  });

  test('an unknown user looks like a known one, with the same salt each time', () => {
    const decoy = decoyVerifier('sha256', 'secret', 'admin.eve');
    assert.deepEqual(decoy, decoyVerifier('sha256', 'secret', 'admin.eve'));
    assert.notEqual(decoy.salt, decoyVerifier('sha256', 'secret', 'admin.adam').salt);
    assert.notEqual(decoy.salt, decoyVerifier('sha256', 'other', 'admin.eve').salt);
    assert.equal(Buffer.from(decoy.salt, 'base64').length, 28);
    assert.equal(decoy.iterations, 15_000);
  });
});
