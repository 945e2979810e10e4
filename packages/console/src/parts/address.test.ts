import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathIn, valuesIn, withValues } from './address.ts';

const defaults = { filter: '', limit: '20' };

test('an address contains each text', () => {
  for (const filter of ['{"name": "50% & more? #1 + ä"}', '%22%2', '?a=b&limit=3', '\n"']) {
    const address = withValues('/data/ships%3F', { filter, limit: '20' }, defaults);
    assert.match(address, /^\/data\/ships%3F\?filter=[\w%+.*-]+$/);
    assert.equal(pathIn(address), '/data/ships%3F');
    assert.deepEqual(valuesIn(address, defaults), { filter, limit: '20' });
  }
});

test('an address contains only values that differ from their defaults', () => {
  assert.equal(withValues('/data?filter=a', defaults, defaults), '/data');
  assert.equal(withValues('/data?filter=a', { filter: '', limit: '' }, defaults), '/data?limit=');
  assert.deepEqual(valuesIn('/data?limit=&other=b', defaults), { filter: '', limit: '' });
  assert.deepEqual(valuesIn('/data', defaults), defaults);
});
