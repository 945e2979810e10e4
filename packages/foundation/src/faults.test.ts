import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault, faults } from './faults.ts';

test('a fault has no stack trace, and other errors keep theirs', () => {
  const frames = Error.stackTraceLimit;
  const fault = new Fault('TEST', 400, 'A detail.', []);
  assert.equal(fault.stack, 'Fault: A detail.');
  assert.equal(Error.stackTraceLimit, frames);
  assert.match(new Error('other').stack ?? '', /faults\.test/);
});

test('a fault takes the parameters that its sentence names', () => {
  const { ADRIFT, SUNK, LOST } = faults({
    ADRIFT: [400, 'The ship is adrift.'],
    SUNK: [404, 'The ship {0} has sunk.'],
    LOST: [404, 'The ship {1} of the fleet {0} is lost, as {1} says.'],
  });
  assert.deepEqual(
    [ADRIFT(), SUNK('Vasa'), LOST('royal', 'Vasa')].map(({ message, parameters }) => [message, parameters]),
    [
      ['The ship is adrift.', []],
      ['The ship Vasa has sunk.', ['Vasa']],
      ['The ship Vasa of the fleet royal is lost, as Vasa says.', ['royal', 'Vasa']],
    ],
  );
  // @ts-expect-error: the sentence has no parameter.
  ADRIFT('Vasa');
  // @ts-expect-error: the name is missing.
  SUNK();
  // @ts-expect-error: the ship is missing.
  LOST('royal');
  // @ts-expect-error: one too many.
  LOST('royal', 'Vasa', 'Kronan');
});
