import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawDocument } from '../bson/raw.ts';
import { auditLine, auditMessage } from './lines.ts';
import type { AuditEvent } from './observer.ts';
import { MAX_PARAMETERS, sentAudit } from './sent-events.ts';

const local = { ip: '127.0.0.1', port: 27017 };
const caller = { member: 'm0', connectionId: 1, remote: '192.0.2.1:50000' };
const lineOf = (a: unknown) => {
  const event = sentAudit({
    atype: 'authCheck',
    caller,
    param: { command: 'find', args: { a } },
    result: 13,
  });
  return { sent: event.param.length, line: auditLine(auditMessage(0, event, local)) };
};

test('the parameters of an audit message are truncated before they are sent to the host', () => {
  for (const value of [Array(1_000_000).fill(1), 'x'.repeat(10_000_000), Array(100_000).fill([])]) {
    const { sent, line } = lineOf(value);
    assert.ok(sent < 16 * MAX_PARAMETERS && line.length < 2 * MAX_PARAMETERS, `${sent} ${line.length}`);
    const message = JSON.parse(line);
    assert.equal(message.param.command, 'find');
    assert.equal(message.result, 13);
    assert.ok(message.truncated.args.a, JSON.stringify(message.truncated));
  }
  const whole = JSON.parse(lineOf([1, 2]).line);
  assert.deepEqual([whole.param, whole.truncated], [{ command: 'find', args: { a: [1, 2] } }, undefined]);
});

test('audit messages of a member itself are sent whole', () => {
  const filter = 'x'.repeat(MAX_PARAMETERS);
  const event: AuditEvent = {
    atype: 'auditConfigure',
    caller: { member: 'm0' },
    param: { filter },
    result: 0,
  };
  const { param, truncated } = sentAudit(event, Number.POSITIVE_INFINITY);
  assert.equal(new RawDocument(param).string('filter'), filter);
  assert.equal(truncated, undefined);
});
