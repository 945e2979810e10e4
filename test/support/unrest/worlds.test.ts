import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addresses } from './kinds/addresses.ts';
import { databaseUsers } from './kinds/database-users.ts';
import type { Kind } from './kinds/kind.ts';
import { fatesOf, type Intent, learn, newThing, type Outcome, sawFate, sawTold, settle } from './worlds.ts';

const make = (value: string): Intent => ({ what: 'make', value });
const change = (value: string): Intent => ({ what: 'change', value });
const remove: Intent = { what: 'remove' };

/** A thing after these calls, each of which is possible. */
function after(kind: Kind, ...calls: readonly (readonly [wish: Intent, outcome: Outcome])[]) {
  const thing = newThing(kind, 'x');
  for (const [wish, outcome] of calls) assert.ok(learn(thing, wish, outcome), `${wish.what} ${outcome}`);
  return thing;
}

const fates = (...given: Parameters<typeof after>) => [...fatesOf(after(...given))].map(String).sort();

test('what was acknowledged is all that a thing may be', () => {
  assert.deepEqual(fates(databaseUsers, [make('a'), 'done']), ['a']);
  assert.deepEqual(fates(databaseUsers, [make('a'), 'done'], [change('b'), 'done']), ['b']);
  assert.deepEqual(fates(databaseUsers, [make('a'), 'done'], [remove, 'done']), ['undefined']);
  assert.deepEqual(fates(databaseUsers, [make('a'), 'done'], [change('b'), 'refused']), ['a']);
});

test('a call without an answer is done, or not, or behind a later one', () => {
  assert.deepEqual(fates(databaseUsers, [make('a'), 'unknown']), ['a', 'undefined']);
  const late = [
    [make('a'), 'done'] as const,
    [change('b'), 'unknown'] as const,
    [change('c'), 'done'] as const,
  ];
  assert.deepEqual(fates(databaseUsers, ...late), ['b', 'c']);
  const settled = after(databaseUsers, ...late.slice(0, 2));
  settle(settled);
  assert.ok(learn(settled, change('c'), 'done'));
  assert.deepEqual([...fatesOf(settled)], ['c'], 'nothing is under way any more');
});

test('it is carried out once, and where it can be', () => {
  // What makes a thing anew was asked for when there was none.
  const again = [[make('a'), 'unknown'] as const, [make('b'), 'done'] as const, [remove, 'done'] as const];
  assert.deepEqual(fates(databaseUsers, ...again), ['a', 'undefined']);
  assert.deepEqual(fates(databaseUsers, ...again, [remove, 'done']), ['undefined']);
  const thing = after(databaseUsers, ...again, [remove, 'done']);
  assert.equal(learn(thing, remove, 'done'), false, 'there was one call too few to make it');
});

test('a refusal tells what is there', () => {
  const unsure = [make('a'), 'unknown'] as const;
  assert.deepEqual(fates(databaseUsers, unsure, [make('b'), 'taken']), ['a']);
  const removed = [[make('a'), 'done'] as const, [remove, 'unknown'] as const];
  assert.deepEqual(fates(databaseUsers, ...removed, [change('b'), 'absent']), ['undefined']);
  const there = after(databaseUsers, [make('a'), 'done']);
  assert.equal(learn(there, change('b'), 'absent'), false);
  assert.equal(learn(newThing(databaseUsers, 'x'), make('a'), 'taken'), false);
});

test('what is seen, and how often it was told, leaves the courses that lead there', () => {
  const thing = after(databaseUsers, [make('a'), 'unknown'], [make('b'), 'unknown']);
  settle(thing);
  assert.ok(sawFate(thing, 'a'));
  assert.ok(sawTold(thing, [1, 0, 0]));
  assert.equal(sawTold(thing, [2, 0, 0]), false);
  assert.equal(sawFate(thing, undefined), false);
});

test('events tell each change, or such that change something', () => {
  const told = (kind: Kind) =>
    after(kind, [make('a'), 'done'], [{ what: 'change', value: 'a' }, 'done']).worlds[0];
  assert.deepEqual(told(databaseUsers)?.told, [1, 1, 0]);
  assert.deepEqual(told(addresses)?.told, [1, 0, 0]);
});
