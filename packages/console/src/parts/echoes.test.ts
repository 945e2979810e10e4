import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Echoes } from './echoes.ts';

test('a text that comes back after the person has typed more is an echo', () => {
  const echoes = new Echoes();
  for (const text of ['{', '{"', '{"a']) echoes.report(text);
  assert.equal(echoes.isEcho('{'), true);
  assert.equal(echoes.isEcho('{"a'), true);
  assert.equal(echoes.isEcho('{"'), false, 'an earlier text does not come back');
});

test('a text that the page sets is not an echo', () => {
  const echoes = new Echoes();
  assert.equal(echoes.isEcho('{}'), false);
  echoes.report('{"a');
  assert.equal(echoes.isEcho('{"example": 1}'), false);
  echoes.report('{"example": 12}');
  assert.equal(echoes.isEcho('{"example": 12}'), true);
});
