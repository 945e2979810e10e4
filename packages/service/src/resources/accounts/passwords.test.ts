import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { hashPassword } from './passwords.ts';

test('a hash contains its parameters, so that the password can be verified', async () => {
  const hash = await hashPassword(systemRandom(), 'a long password', 'a');
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  assert.ok(parts);
  const [, memory, passes, parallelism, salt = '', tag = ''] = parts;
  const again = argon2Sync('argon2id', {
    message: 'a long password',
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: 32,
  });
  assert.equal(again.toString('base64').replace(/=+$/, ''), tag);
});

test('hashing the same password twice gives different hashes', async () => {
  const [one, other] = [
    await hashPassword(systemRandom(), 'x', 'a'),
    await hashPassword(systemRandom(), 'x', 'a'),
  ];
  assert.notEqual(one, other);
});
