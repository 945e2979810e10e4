import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from './faults.ts';

test('a fault does not note where it was found, and other errors do as before', () => {
  const frames = Error.stackTraceLimit;
  const fault = new Fault('TEST', 400, 'A detail.', []);
  assert.equal(fault.stack, 'Fault: A detail.');
  assert.equal(Error.stackTraceLimit, frames);
  assert.match(new Error('other').stack ?? '', /faults\.test/);
});
