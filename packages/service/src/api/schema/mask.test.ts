import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mask } from './mask.ts';

test('a masked secret shows its last four characters but not its length', () => {
  assert.equal(mask('secret', 'abcdefgh1234'), '********1234');
  assert.equal(mask('secret', `${'x'.repeat(200)}1234`), '********1234');
});

test('a short secret is masked completely', () => {
  assert.equal(mask('secret', 'abc1234'), '********');
  assert.equal(mask('secret', ''), '********');
});

test('a masked private key shows its last group', () => {
  assert.equal(mask('privateKey', '01234567-89ab-cdef-0123-456789abcdef'), '********-****-****-456789abcdef');
});
