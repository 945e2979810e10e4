import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnyOperation, PathParameter } from '../operation.ts';
import { LEGACY_VERSION } from '../versions.ts';
import { type RouteTableOptions, routeTable } from './route-table.ts';

function operation(
  id: string,
  method: AnyOperation['method'],
  path: string,
  more: object = {},
): AnyOperation {
  const handler = () => Promise.reject(new Error(`${id} was called`));
  const given = {
    id,
    summary: '',
    tag: 'Ships',
    method,
    path,
    access: 'any caller',
    versions: { [LEGACY_VERSION]: 'same' },
    status: 200,
  };
  return { ...given, handler, ...more } as AnyOperation;
}

const operations = [
  operation('getRoot', 'GET', '/'),
  operation('getShip', 'GET', '/ships/{ship}'),
  operation('launchShip', 'POST', '/ships/{ship}:launch'),
  operation('getClock', 'GET', '/clock', { surface: 'operator' }),
];
const parameters = { ship: {} as PathParameter };
const options: RouteTableOptions = { operations, parameters, rateLimited: [] };

test('finds operations below their base paths, and HEAD like GET', () => {
  const table = routeTable(options);
  const found = (method: string, path: string, surface: 'operator' | 'v1.0' | 'v2') => {
    const { found, allow } = table.find(method, path, surface);
    return found ? [found.route.operation.id, found.params] : allow;
  };
  assert.deepEqual(found('GET', '/api/service/v2', 'v2'), ['getRoot', {}]);
  assert.deepEqual(found('GET', '/api/service/v1.0/', 'v1.0'), ['getRoot', {}]);
  assert.deepEqual(found('HEAD', '/api/service/v2/ships/a%2Fb/', 'v2'), ['getShip', { ship: 'a/b' }]);
  assert.deepEqual(found('POST', '/api/service/v2/ships/a:launch', 'v2'), ['launchShip', { ship: 'a' }]);
  assert.deepEqual(found('GET', '/operator/v1/clock', 'operator'), ['getClock', {}]);
  assert.deepEqual(found('GET', '/api/service/v2/clock', 'v2'), []);
  assert.deepEqual(found('PUT', '/api/service/v2/ships/a', 'v2'), ['GET', 'HEAD']);
  assert.deepEqual(found('GET', '/api/service/v2/ships/a:launch', 'v2'), ['POST']);
  assert.deepEqual(found('GET', `/api/service/v2/ships/${'a'.repeat(5000)}`, 'v2'), []);
});

test('services with the same operations and limits share a table', () => {
  const table = routeTable(options);
  const same = { operations: [...operations], parameters: { ...parameters }, rateLimited: [] };
  assert.equal(routeTable(same), table);
  const limited = routeTable({ ...options, rateLimited: ['getShip'] });
  assert.deepEqual(
    [table, limited].map(({ routes }) => routes.map(({ rateLimited }) => rateLimited)),
    [
      [false, false, false, false],
      [false, true, false, false],
    ],
  );
  const fewer = routeTable({ ...options, operations: operations.slice(1) });
  assert.deepEqual(fewer.find('GET', '/api/service/v2', 'v2'), { found: undefined, allow: [] });
});
