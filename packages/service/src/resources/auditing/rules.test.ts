import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFilter } from './rules.ts';

const ofLength = (length: number, name: string) => `{${name}: '${'x'.repeat(length - name.length - 6)}'}`;

test('a filter with names in single quotes or without quotes is accepted', async () => {
  await checkFilter("{ 'atype': 'authCheck', users: { $in: ['find', 'insert'] } }");
  await checkFilter(ofLength(10_000, 'atype'));
});

test('a long filter must be JSON, since other forms are slow to parse', async () => {
  const long = ofLength(10_001, 'atype');
  for (const text of [long, "{'".repeat(30_000), `{${'? '.repeat(30_000)}`])
    await assert.rejects(checkFilter(text), (error) => JSON.stringify(error).includes('10000 characters'));
  await checkFilter(ofLength(10_001, '"atype"').replaceAll("'", '"'));
});

test('a text that is no object is rejected', async () => {
  await assert.rejects(checkFilter('[]'), (error) => /is not a JSON object/.test(JSON.stringify(error)));
});
