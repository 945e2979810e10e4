import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AnyOperation, PathParameter } from '../api/operation.ts';
import { RouteTable } from '../api/routes/route-table.ts';
import { surfaceFinder } from '../api/routes/surface.ts';
import { atlasDialect } from '../dialects/atlas/index.ts';
import { unserved } from '../dialects/atlas/unserved.ts';
import { loadFamilies } from './load.ts';

const families = await loadFamilies();
const operations: AnyOperation[] = families.flatMap((family) => family.operations);
const parameters: Record<string, PathParameter> = Object.assign(
  {},
  ...families.map((one) => one.parameters ?? {}),
);
const table = new RouteTable({ dialect: atlasDialect, operations, parameters, rateLimited: [] });
const { versioned } = atlasDialect.bases;
const surface = surfaceFinder([atlasDialect])(versioned) ?? assert.fail();

it('a request for an unserved operation does not reach a served one', () => {
  const hidden = unserved.flatMap(({ method, path, family }) => {
    const sample = path.replaceAll(/\{\w+\}/g, 'a1');
    const { found, unserved } = table.find(method, versioned + sample, surface);
    return unserved === family ? [] : [`${method} ${path}: ${found?.route.operation.id ?? unserved}`];
  });
  assert.deepEqual(hidden, []);
});

it('a request for a served operation does not reach an unserved one', () => {
  const hidden = table.routes.flatMap(({ operation: { id, method, path, surface: kind } }) => {
    if (kind !== undefined) return [];
    const { found, unserved } = table.find(method, versioned + path.replaceAll(/\{\w+\}/g, 'a1'), surface);
    return found?.route.operation.id === id ? [] : [`${method} ${path}: ${unserved}`];
  });
  assert.deepEqual(hidden, []);
});
