import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Dialect, neutralDialect } from '../dialect/dialect.ts';
import type { AnyOperation, PathParameter } from '../operation.ts';
import { LEGACY_VERSION } from '../versions.ts';
import { type RouteTableOptions, routeTable } from './route-table.ts';
import { surfaceFinder } from './surface.ts';

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
const surfaceOf = (path: string) => surfaceFinder([neutralDialect])(path) ?? assert.fail(path);
const parameters = { ship: {} as PathParameter };
const options: RouteTableOptions = { dialect: neutralDialect, operations, parameters, rateLimited: [] };

test('finds operations below their base paths, and HEAD like GET', () => {
  const table = routeTable(options);
  const found = (method: string, path: string) => {
    const { found, allow } = table.find(method, path, surfaceOf(path));
    return found ? [found.route.operation.id, found.params] : allow;
  };
  assert.deepEqual(found('GET', '/api/service/v2'), ['getRoot', {}]);
  assert.deepEqual(found('GET', '/api/service/v1.0/'), ['getRoot', {}]);
  assert.deepEqual(found('HEAD', '/api/service/v2/ships/a%2Fb/'), ['getShip', { ship: 'a/b' }]);
  assert.deepEqual(found('POST', '/api/service/v2/ships/a:launch'), ['launchShip', { ship: 'a' }]);
  assert.deepEqual(found('GET', '/operator/v1/clock'), ['getClock', {}]);
  assert.deepEqual(found('GET', '/api/service/v2/clock'), []);
  assert.deepEqual(found('PUT', '/api/service/v2/ships/a'), ['GET', 'HEAD']);
  assert.deepEqual(found('GET', '/api/service/v2/ships/a:launch'), ['POST']);
  assert.deepEqual(found('GET', `/api/service/v2/ships/${'a'.repeat(5000)}`), []);
});

test('an operation that is not served hides a parameter, not a literal segment', () => {
  const unserved = [
    { method: 'GET', path: '/ships/{ship}', family: 'Hulls' },
    { method: 'GET', path: '/ships/plans', family: 'Plans' },
  ] as const;
  const changes = {
    words: { segments: {} },
    operations: {},
    entities: {},
    faults: {},
    isLenient: true,
    unserved,
  };
  const dialect = { ...neutralDialect, changes } as unknown as Dialect;
  const table = routeTable({ ...options, dialect });
  const surface = surfaceFinder([dialect])('/api/service/v2/ships') ?? assert.fail();
  const found = (method: string, ship: string) => {
    const { found, unserved } = table.find(method, `/api/service/v2/ships/${ship}`, surface);
    return found?.route.operation.id ?? unserved;
  };
  assert.equal(found('GET', 'a'), 'getShip');
  assert.equal(found('GET', 'plans'), 'Plans');
  assert.equal(found('POST', 'plans:launch'), 'launchShip');
});

test('services with the same operations and limits share a table', () => {
  const table = routeTable(options);
  const same = { ...options, operations: [...operations], parameters: { ...parameters }, rateLimited: [] };
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
  assert.deepEqual(fewer.find('GET', '/api/service/v2', surfaceOf('/api/service/v2')), {
    found: undefined,
    allow: [],
  });
});
