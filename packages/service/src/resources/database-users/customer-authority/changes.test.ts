import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customerCertificate } from '@portolan/test-support/customer-certificate';
import { checkAuthorities, MAX_AUTHORITIES } from './changes.ts';

test('a project has a largest number of certificate authorities', async () => {
  const { authority } = await customerCertificate('CN=sailor');
  checkAuthorities(authority.repeat(MAX_AUTHORITIES));
  assert.throws(() => checkAuthorities(authority.repeat(MAX_AUTHORITIES + 1)), {
    code: 'INVALID_ATTRIBUTE',
  });
});
