import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Operation } from './operations.ts';
import { StartOrder } from './start-order.ts';
import { NESTED_ATTEMPTS } from './statements.ts';

/** Returns an operation that was postponed `attempts` times. It arrived at the time `arrived`. */
function operation(clusterId: string, arrived: number, attempts: number): Operation {
  const caller = { connectionId: 1, remote: '', member: 'm0' };
  const wire = { requestId: arrived, clusterId, caller, sections: new Uint8Array() };
  const made = new Operation(arrived, wire, () => {}, arrived);
  made.attempts = attempts;
  return made;
}

test('clusters take turns with operations that can only run outside others', () => {
  const order = new StartOrder();
  const write = operation('quick', 10, NESTED_ATTEMPTS);
  const expensive = [1, 2, 3].map((arrived) => operation('expensive', arrived, NESTED_ATTEMPTS));
  const waiting = new Set([write, ...expensive]);
  const led: Operation[] = [];
  for (let round = 20; led.length < 4; round++) {
    // The quick cluster also runs short operations all the time.
    const short = operation('quick', round, 0);
    const [first] = order.outermost(new Set([...waiting, short]));
    assert.ok(first);
    order.started(first);
    order.started(short);
    waiting.delete(first);
    led.push(first);
  }
  assert.deepEqual(
    led.map(({ arrived }) => arrived),
    [1, 10, 2, 3],
  );
});

test('an operation that was postponed more often runs first, and others follow', () => {
  const order = new StartOrder();
  const [short, long] = [operation('a', 1, 0), operation('b', 2, 3)];
  assert.deepEqual(order.outermost(new Set([short, long])), [long, short]);
  assert.deepEqual(order.outermost(new Set()), []);
});
