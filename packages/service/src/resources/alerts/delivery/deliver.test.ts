import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Post } from '@portolan/foundation/outgoing/guarded-post';
import { deliver } from './deliver.ts';
import type { Message } from './message.ts';

const message: Message = {
  alertId: '6b0379ae15b376aa4da9b5d7',
  reason: 'open',
  severity: 'WARNING',
  subject: 'OPEN: Host is down (harbour)',
  text: 'OPEN: Host is down (harbour)',
  document: { id: '6b0379ae15b376aa4da9b5d7' },
  url: 'https://127.0.0.1/alert',
  source: 'harbour',
};

test('a stored notification contains no secret, whatever characters the secret has', async () => {
  const common = { notifierId: '6b0379ae15b376aa4da9b5d8', delayMin: 0 };
  const nobody = { emails: [], numbers: [] };
  const refusing = async ({ url, body, headers }: Post) => {
    throw new Error(`${url} ${body} ${JSON.stringify(headers)}`);
  };
  const outgoing = { post: refusing, bases: {} };
  const { signal } = new AbortController();
  for (const secret of ['a key with $&', 'a "quoted\\" key', 'a key/with?parts', 'a key of $$$`']) {
    const secrets = { victorOpsApiKey: secret };
    const delivery = await deliver(
      outgoing,
      message,
      { typeName: 'VICTOR_OPS', ...common },
      secrets,
      nobody,
      signal,
    );
    assert.equal(delivery.outcome, 'FAILED');
    const stored = JSON.stringify(delivery);
    for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
      assert.ok(!stored.includes(form), `${form} in ${stored}`);
    assert.deepEqual(delivery.to, [
      `https://alert.victorops.com/integrations/generic/20131114/alert/********${secret.slice(-4)}`,
    ]);
  }
  const serviceKey = 'an "odd" key';
  const pager = { typeName: 'PAGER_DUTY', ...common } as const;
  const delivery = await deliver(outgoing, message, pager, { serviceKey }, nobody, signal);
  assert.equal(JSON.parse(delivery.body).routing_key, '******** key');
});

test('mail that reaches only some recipients is sent with a problem', async () => {
  const { signal } = new AbortController();
  const post = async () => ({ status: 200, text: '' });
  const reached = { emails: ['ada@example.org', 'gone@example.org'], numbers: [] };
  const notification = { typeName: 'GROUP', notifierId: '6b0379ae15b376aa4da9b5d8', delayMin: 0 } as const;
  const deliverWith = (rejected: readonly string[]) =>
    deliver({ post, bases: {}, mail: async () => rejected }, message, notification, {}, reached, signal);
  const sent = { to: reached.emails, subject: message.subject, body: message.text, outcome: 'SENT' };
  assert.deepEqual(await deliverWith([]), sent);
  const problem = 'the mail server rejects 1 of 2 recipients';
  assert.deepEqual(await deliverWith(['gone@example.org']), { ...sent, problem });
});
