import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { type AnyOperation, operationsOf } from '../../packages/service/src/api/operation.ts';
import { loadFamilies } from '../../packages/service/src/resources/load.ts';
import { contractOperations } from '../../test/support/contract-operations.ts';
import { coverage } from './contract-coverage.ts';
import { vendorExtensions } from './vendor-operations.ts';

const listed = contractOperations();
const operation = operationsOf<unknown>();

const getSystemStatus: AnyOperation = operation({
  id: 'getSystemStatus',
  summary: 'The root',
  tag: 'Root',
  method: 'GET',
  path: '/',
  access: 'any caller',
  reply: Type.Object({}),
  status: 200,
  handler: async () => ({}),
});

const like = (changes: object): AnyOperation => ({ ...getSystemStatus, ...changes });

describe("operations of the contract and of the vendor's service", () => {
  it('have distinct ids and addresses', () => {
    assert.equal(new Set(listed.map(({ id }) => id)).size, listed.length);
    const addresses = listed.map(({ method, path }) => method + path.replace(/\{[^}]+\}/g, '{}'));
    assert.equal(new Set(addresses).size, listed.length);
  });

  it('exist in the newest version, oldest first', () => {
    for (const { id, versions } of listed) {
      assert.equal(versions.at(-1), '2025-03-12', id);
      assert.deepEqual(versions, versions.toSorted(), id);
    }
  });

  it('include every version of createCluster', () => {
    const create = listed.find(({ id }) => id === 'createCluster');
    assert.deepEqual(create?.versions, [
      '2023-01-01',
      '2023-02-01',
      '2024-08-05',
      '2024-10-23',
      '2025-03-12',
    ]);
  });
});

describe('coverage', () => {
  it('distinguishes served operations from missing ones', () => {
    const { rows, totals } = coverage([getSystemStatus], listed);
    assert.equal(rows.length, listed.length);
    assert.deepEqual(
      rows.filter((row) => row.served).map((row) => row.id),
      ['getSystemStatus'],
    );
    assert.equal(totals.contract.served, 1);
    assert.equal(totals.reference.served, 0);
    assert.equal(totals.contract.listed + totals.reference.listed, rows.length);
  });

  it('ignores the names of path parameters', () => {
    const getCluster = like({ id: 'getCluster', path: '/groups/{project}/clusters/{cluster}' });
    const row = coverage([getCluster], listed).rows.find(({ id }) => id === 'getCluster');
    assert.equal(row?.served, true);
  });

  it('lists the versions that a served operation lacks', () => {
    const getCluster = like({
      id: 'getCluster',
      path: '/groups/{groupId}/clusters/{clusterName}',
      versions: { '2023-01-01': 'same', '2023-02-01': 'unavailable', '2025-03-12': 'same' },
    });
    const row = coverage([getCluster], listed).rows.find(({ id }) => id === 'getCluster');
    assert.deepEqual(row?.missingVersions, ['2023-02-01', '2024-08-05']);
  });

  it('rejects an operation that is not listed', () => {
    const stray = like({ id: 'getStray', path: '/stray' });
    assert.throws(() => coverage([stray], listed), /getStray \(GET \/stray\) is neither listed nor/);
  });

  it('lists extensions separately: marked operations, and those below the operator path', () => {
    const marked = like({ id: 'getStray', path: '/stray', extension: true });
    const operator = like({ id: 'getClock', path: '/clock', surface: 'operator' });
    const { extensions } = coverage([marked, operator], listed);
    assert.deepEqual(
      extensions.map(({ id }) => id),
      ['getStray', 'getClock'],
    );
  });

  it('rejects a different id at a listed path, and two operations at one path', () => {
    assert.throws(() => coverage([like({ id: 'getRoot' })], listed), /is listed as getSystemStatus/);
    const twice = [getSystemStatus, like({})];
    assert.throws(() => coverage(twice, listed), /GET \/ is served twice/);
  });
});

it('each extension that MongoDB Atlas has is served', async () => {
  const ids = (await loadFamilies()).flatMap(({ operations }) => operations.map(({ id }) => id));
  assert.deepEqual(
    vendorExtensions.filter((id) => !ids.includes(id)),
    [],
  );
});
