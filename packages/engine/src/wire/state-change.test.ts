import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Document, Double, deserialize, Long, serialize } from 'bson';
import { isStateChange, withTopologyVersion } from './state-change.ts';

const failed = (more: Document) => serialize({ ok: new Double(0), errmsg: 'no', ...more });

describe('a reply about a changed member state', () => {
  for (const code of [91, 189, 10107, 11600, 11602, 13435, 13436]) {
    it(`is error ${code}`, () => assert.ok(isStateChange(failed({ code }))));
  }

  const others: Array<[string, Uint8Array]> = [
    ['another error', failed({ code: 2 })],
    ['an error without a code', failed({})],
    ['a success', serialize({ ok: new Double(1), code: 10107 })],
    ['a success that ends with ok', serialize({ code: 10107, ok: new Double(0) })],
    ['a long answer', failed({ code: 10107, pad: 'x'.repeat(4_096) })],
  ];
  for (const [name, document] of others) {
    it(`is not ${name}`, () => assert.ok(!isStateChange(document)));
  }

  it('carries the topology version', () => {
    const version = { counter: Long.fromNumber(3) };
    const document = failed({ code: 10107, long: Long.fromNumber(7) });
    const answer = deserialize(withTopologyVersion(document, version), { promoteValues: false });
    assert.equal(String(answer.topologyVersion.counter), '3');
    assert.deepEqual(answer.ok, new Double(0));
    assert.equal(answer.long.constructor, Long);
  });
});
