import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { accessFaults } from '../access/index.ts';
import { DocumentLibrary } from '../api/documents/index.ts';
import { generalFaults } from '../api/faults.ts';
import type { PathParameter } from '../api/operation.ts';
import { coverage, plannedOperations } from '../api/planned/index.ts';
import { loadFamilies } from './index.ts';

const families = await loadFamilies();
const operations = families.flatMap((family) => family.operations);
const parameters: Record<string, PathParameter> = Object.assign(
  {},
  ...families.map((one) => one.parameters ?? {}),
);
const library = new DocumentLibrary({
  operations,
  parameters,
  faults: [generalFaults, accessFaults, ...families.flatMap((family) => family.faults ?? [])],
  publicUrl: 'https://127.0.0.1:8443',
  serviceVersion: '0.1.0',
});

describe('operations of all families', () => {
  it('stand in the plan, or are marked as extensions', () => {
    const { totals } = coverage(operations, plannedOperations);
    assert.ok(totals.contract.served > 0);
  });

  it('have an id of their own each', () => {
    const ids = operations.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
  });

  it('use only names in their paths that a family explains', () => {
    const names = operations.flatMap(({ path }) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    );
    assert.deepEqual(
      names.filter((name) => parameters[name] === undefined),
      [],
    );
  });

  it('make valid OpenAPI documents, one for each date of a shape and one for the legacy path', async () => {
    const names = library.editions.map(({ name }) => name);
    assert.deepEqual([names[0], ...names.slice(-2)], ['2023-01-01', '2025-03-12', 'v1.0']);
    for (const name of names) {
      const { valid, errors } = await new Validator().validate(JSON.parse(library.get(name)?.body ?? ''));
      assert.ok(valid, `${name}: ${JSON.stringify(errors)}`);
    }
  });
});
