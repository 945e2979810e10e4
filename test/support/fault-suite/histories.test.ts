import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  dropLateCalls,
  type Intent,
  newResource,
  type Outcome,
  observeEvents,
  observeValue,
  possibleValues,
  recordOutcome,
} from './histories.ts';
import { addresses } from './kinds/addresses.ts';
import { databaseUsers } from './kinds/database-users.ts';
import type { ResourceKind } from './kinds/kind.ts';

const create = (value: string): Intent => ({ what: 'create', value });
const change = (value: string): Intent => ({ what: 'change', value });
const remove: Intent = { what: 'delete' };

/** Returns a resource after these calls. Each call must be possible. */
function after(kind: ResourceKind, ...calls: readonly (readonly [intent: Intent, outcome: Outcome])[]) {
  const resource = newResource(kind, 'x');
  for (const [intent, outcome] of calls)
    assert.ok(recordOutcome(resource, intent, outcome), `${intent.what} ${outcome}`);
  return resource;
}

const values = (...given: Parameters<typeof after>) =>
  [...possibleValues(after(...given))].map(String).sort();

test('acknowledged calls leave one possible value', () => {
  assert.deepEqual(values(databaseUsers, [create('a'), 'done']), ['a']);
  assert.deepEqual(values(databaseUsers, [create('a'), 'done'], [change('b'), 'done']), ['b']);
  assert.deepEqual(values(databaseUsers, [create('a'), 'done'], [remove, 'done']), ['undefined']);
  assert.deepEqual(values(databaseUsers, [create('a'), 'done'], [change('b'), 'rejected']), ['a']);
});

test('a call without a response is applied, not applied, or applied after a later one', () => {
  assert.deepEqual(values(databaseUsers, [create('a'), 'unknown']), ['a', 'undefined']);
  const late = [
    [create('a'), 'done'] as const,
    [change('b'), 'unknown'] as const,
    [change('c'), 'done'] as const,
  ];
  assert.deepEqual(values(databaseUsers, ...late), ['b', 'c']);
  const settled = after(databaseUsers, ...late.slice(0, 2));
  dropLateCalls(settled);
  assert.ok(recordOutcome(settled, change('c'), 'done'));
  assert.deepEqual([...possibleValues(settled)], ['c'], 'no call is in progress any more');
});

test('a call without a response is applied at most once, and only if it can be', () => {
  // A resource can be created a second time only if it does not exist any more.
  const again = [
    [create('a'), 'unknown'] as const,
    [create('b'), 'done'] as const,
    [remove, 'done'] as const,
  ];
  assert.deepEqual(values(databaseUsers, ...again), ['a', 'undefined']);
  assert.deepEqual(values(databaseUsers, ...again, [remove, 'done']), ['undefined']);
  const resource = after(databaseUsers, ...again, [remove, 'done']);
  assert.equal(recordOutcome(resource, remove, 'done'), false, 'there were only two creations');
});

test('a rejection shows whether the resource exists', () => {
  const unsure = [create('a'), 'unknown'] as const;
  assert.deepEqual(values(databaseUsers, unsure, [create('b'), 'duplicate']), ['a']);
  const deleted = [[create('a'), 'done'] as const, [remove, 'unknown'] as const];
  assert.deepEqual(values(databaseUsers, ...deleted, [change('b'), 'absent']), ['undefined']);
  const existing = after(databaseUsers, [create('a'), 'done']);
  assert.equal(recordOutcome(existing, change('b'), 'absent'), false);
  assert.equal(recordOutcome(newResource(databaseUsers, 'x'), create('a'), 'duplicate'), false);
});

test('observed values and event counts drop the histories that they contradict', () => {
  const resource = after(databaseUsers, [create('a'), 'unknown'], [create('b'), 'unknown']);
  dropLateCalls(resource);
  assert.ok(observeValue(resource, 'a'));
  assert.ok(observeEvents(resource, [1, 0, 0]));
  assert.equal(observeEvents(resource, [2, 0, 0]), false);
  assert.equal(observeValue(resource, undefined), false);
});

test('a change without effect records an event, or does not, depending on the kind', () => {
  const events = (kind: ResourceKind) =>
    after(kind, [create('a'), 'done'], [{ what: 'change', value: 'a' }, 'done']).histories[0]?.events;
  assert.deepEqual(events(databaseUsers), [1, 1, 0]);
  assert.deepEqual(events(addresses), [1, 0, 0]);
});
