import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareAnswers, pathsOf } from './compare.ts';
import type { Outcome } from './replay.ts';
import { pairsOf } from './score.ts';

const operation = { id: 'getShip', method: 'GET', template: '/ships', body: undefined, pattern: /^ships$/ };

function outcome(recorded: object, own: object): Outcome {
  const difference = compareAnswers({ status: 200, body: recorded }, { status: 200, body: own });
  const paths = { recorded: pathsOf(recorded), own: pathsOf(own) };
  return { operation, version: '2024-08-05', story: 'TestShip', difference, paths };
}

function fieldsOf(outcomes: readonly Outcome[], newer: readonly Outcome[] = []) {
  const [{ difference } = { difference: undefined }] = pairsOf(outcomes, newer);
  return [difference?.missing, difference?.added];
}

test('a field is missing if one response lacks it, even if another response has it', () => {
  const ships = [outcome({ id: 1, mast: 2 }, { id: 1 }), outcome({ id: 1, mast: 2 }, { id: 1, mast: 2 })];
  assert.deepEqual(fieldsOf(ships), [['mast'], []]);
});

test('a field of listed resources is missing if all lists lack it', () => {
  const full = outcome({ results: [{ mast: 1, keel: 1 }] }, { results: [{}, { mast: 1, sail: 1 }] });
  const empty = outcome({ results: [{ mast: 1, sail: 1 }] }, { results: [{ hull: 1 }] });
  assert.deepEqual(fieldsOf([full, empty]), [['results[].keel'], ['results[].hull']]);
});

test('newer recordings count, if recordings differ in whether a response has a field', () => {
  const older = outcome({ crew: { cook: 1, boy: 1 } }, { crew: { mate: 1 }, flag: 1 });
  const newer = outcome({ crew: { cook: 1, mate: 1 } }, {});
  assert.deepEqual(fieldsOf([older], [newer]), [['crew.cook'], ['flag']]);
});
