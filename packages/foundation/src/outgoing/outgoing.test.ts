import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailReceiver } from '@portolan/test-support/receivers';
import { openOutgoing } from './outgoing.ts';

const letter = { subject: 'OPEN: Host is down', text: 'The host harbour:27017 is down.' };

test('each recipient gets a message that names nobody else', async (t) => {
  const { url, received } = await mailReceiver(t);
  const { mail } = openOutgoing({ allowPrivate: true, smtpUrl: url, bases: {} });
  const to = ['ada@example.org', 'grace@example.org', 'mary@example.org'];
  assert.deepEqual(await mail?.({ ...letter, to }), []);
  assert.deepEqual(
    received.map((one) => one.to),
    to.map((recipient) => [recipient]),
  );
  for (const { to: recipients, text } of received) {
    const headers = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
    assert.deepEqual(
      headers.filter((line) => /^(from|to|cc|bcc|subject):/i.test(line)),
      ['From: harbour@example.org', `To: ${recipients}`, 'Subject: OPEN: Host is down'],
    );
  }
});

test('a recipient that the server rejects does not keep the others from their messages', async (t) => {
  const { url, received } = await mailReceiver(t, { rejected: ['gone@example.org'] });
  const { mail } = openOutgoing({ allowPrivate: true, smtpUrl: url, bases: {} });
  const to = ['gone@example.org', 'grace@example.org'];
  assert.deepEqual(await mail?.({ ...letter, to }), ['gone@example.org']);
  assert.deepEqual(
    received.map((one) => one.to),
    [['grace@example.org']],
  );
  await assert.rejects(async () => mail?.({ ...letter, to: ['gone@example.org'] }), /550 no such mailbox/);
});
