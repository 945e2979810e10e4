import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityIn, lacksClaims } from './identity.ts';

const bySubject = { source: 'https://login.example.org', userClaim: 'sub' };
const verified = { email: 'jo@example.org', email_verified: true };

test('the mail address comes from the document that says whether it is verified', () => {
  const mailOf = (token: object, info: object) =>
    identityIn({ sub: 'a', ...token }, info as never, bySubject).mail;
  assert.equal(mailOf(verified, {}), 'jo@example.org');
  assert.equal(mailOf({}, verified), 'jo@example.org');
  assert.equal(mailOf({ email: 'other@example.org' }, verified), undefined);
  assert.equal(mailOf({ ...verified, email_verified: 'true' }, {}), undefined);
});

test('a mail address in another claim than the subject needs no verification', () => {
  const claims = { sub: 'jo@example.org', upn: 'jo@harbour.example.org' };
  assert.equal(identityIn(claims, {}, bySubject).mail, undefined);
  const { subject, mail } = identityIn(claims, {}, { ...bySubject, userClaim: 'upn' });
  assert.deepEqual([subject, mail], ['jo@harbour.example.org', 'jo@harbour.example.org']);
});

test('a missing, empty or long subject is an error', () => {
  for (const sub of [undefined, '', 7, 'x'.repeat(1025)])
    assert.throws(() => identityIn({ sub }, {}, bySubject), /no usable claim sub/);
});

test('groups are the texts in a claim', () => {
  const groupsOf = (groups: unknown) =>
    [...identityIn({ sub: 'a', groups }, {}, { ...bySubject, groupsClaim: 'groups' }).groups].sort();
  assert.deepEqual(groupsOf(['pilots', 7, 'clerks', 'pilots', null]), ['clerks', 'pilots']);
  assert.deepEqual(groupsOf('pilots'), ['pilots']);
  for (const none of [undefined, null, {}, 7]) assert.deepEqual(groupsOf(none), []);
  assert.equal(identityIn({ sub: 'a', groups: ['pilots'] }, {}, bySubject).groups.size, 0);
});

test('the user info is needed if the ID token lacks a claim', () => {
  const rules = { ...bySubject, groupsClaim: 'groups' };
  assert.equal(lacksClaims({ sub: 'a', ...verified, groups: [] }, rules), false);
  assert.equal(lacksClaims({ sub: 'a', ...verified }, rules), true);
  assert.equal(lacksClaims({ sub: 'a', ...verified }, bySubject), false);
  assert.equal(lacksClaims({ sub: 'a' }, bySubject), true);
});
