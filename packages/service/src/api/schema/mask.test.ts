import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mask } from './mask.ts';

test('a secret shows its last four characters, and not how long it is', () => {
  assert.equal(mask('secret', 'abcdefgh1234'), '********1234');
  assert.equal(mask('secret', `${'x'.repeat(200)}1234`), '********1234');
});

test('a secret of which four characters would be half shows nothing', () => {
  assert.equal(mask('secret', 'abc1234'), '********');
  assert.equal(mask('secret', ''), '********');
});

test('a private key shows its last group', () => {
  assert.equal(mask('privateKey', '01234567-89ab-cdef-0123-456789abcdef'), '********-****-****-456789abcdef');
});
