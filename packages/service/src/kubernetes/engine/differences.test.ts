import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, managersOf, pathText } from './differences.ts';

const found = {
  pause: true,
  replsets: [{ name: 'rs0', size: 5, labels: { rack: '7' } }],
  crVersion: '1.22.0',
};

const rows: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['equal fields, beside further ones', { pause: true, replsets: [{ name: 'rs0' }] }, []],
  ['a changed field', { pause: false }, ['pause']],
  ['a changed field of an entry', { replsets: [{ name: 'rs0', size: 3 }] }, ['replsets[0].size']],
  ['a further entry', { replsets: [] }, ['replsets']],
  ['a missing field', { replsets: [{ hidden: { size: 1 } }] }, ['replsets[0].hidden']],
];

for (const [what, wanted, expected] of rows) {
  test(`differences are found: ${what}`, () => {
    assert.deepEqual(differences(wanted, found).map(pathText), expected);
  });
}

test('managers of a field are found, also if they have a whole list', () => {
  const fields = [
    { manager: 'portolan', fieldsV1: { 'f:spec': { 'f:pause': {} } } },
    { manager: 'kubectl-edit', fieldsV1: { 'f:spec': { 'f:replsets': {} } } },
    { manager: 'operator', fieldsV1: { 'f:spec': { 'f:crVersion': {} } } },
    { manager: 'operator', subresource: 'status', fieldsV1: { 'f:spec': { 'f:replsets': {} } } },
  ];
  assert.deepEqual(managersOf([['spec', 'replsets', '0', 'size']], fields, 'portolan'), ['kubectl-edit']);
  assert.deepEqual(managersOf([['spec', 'pause']], fields, 'portolan'), []);
});
