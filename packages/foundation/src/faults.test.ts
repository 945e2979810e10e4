import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from './faults.ts';

test('a fault has no stack trace, and other errors keep theirs', () => {
  const frames = Error.stackTraceLimit;
  const fault = new Fault('TEST', 400, 'A detail.', []);
  assert.equal(fault.stack, 'Fault: A detail.');
  assert.equal(Error.stackTraceLimit, frames);
  assert.match(new Error('other').stack ?? '', /faults\.test/);
});
