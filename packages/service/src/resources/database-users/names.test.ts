import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUsername } from './names.ts';
import type { UserDocument } from './rows.ts';

const customer = { ldapAuthType: 'NONE', oidcAuthType: 'NONE', x509Type: 'CUSTOMER' } as UserDocument;
const directory = { ldapAuthType: 'USER', oidcAuthType: 'NONE', x509Type: 'NONE' } as UserDocument;

test('accepts distinguished names', () => {
  for (const name of [
    'CN=a',
    'CN=a,O=b',
    'CN=a;O=b',
    'CN=a, OU = b , DC=c',
    'CN="a;b,c"',
    'CN=a\\;b\\,c',
    '2.5.4.3=a',
    'CN=a=b',
  ]) {
    assert.doesNotThrow(() => checkUsername(name, customer), name);
    assert.doesNotThrow(() => checkUsername(name, directory), name);
  }
});

test('rejects texts that are not distinguished names, such as a value with an unescaped separator', () => {
  for (const name of ['a', 'CN', 'CN=', '=a', 'CN=a,', 'CN=a;', 'CN=a;b', 'CN=a,b', 'CN="a', 'CN=a\\']) {
    assert.throws(() => checkUsername(name, customer), { code: 'PLATFORM_INVALID_USERNAME' }, name);
    assert.throws(() => checkUsername(name, directory), { code: 'PLATFORM_INVALID_LDAP_NAME' }, name);
  }
});
