import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { type AnyOperation, operationsOf } from '../operation.ts';
import { coverage } from './coverage.ts';
import { plannedOperations } from './index.ts';

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

describe('planned operations', () => {
  it('have an id and an address of their own each', () => {
    assert.equal(new Set(plannedOperations.map(({ id }) => id)).size, plannedOperations.length);
    const addresses = plannedOperations.map(({ method, path }) => method + path.replace(/\{[^}]+\}/g, '{}'));
    assert.equal(new Set(addresses).size, plannedOperations.length);
  });

  it('exist in the newest version, oldest first', () => {
    for (const { id, versions } of plannedOperations) {
      assert.equal(versions.at(-1), '2025-03-12', id);
      assert.deepEqual(versions, versions.toSorted(), id);
    }
  });

  it('carry the real dates of clusters', () => {
    const create = plannedOperations.find(({ id }) => id === 'createCluster');
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
  it('tells what is served from what is not', () => {
    const { rows, totals } = coverage([getSystemStatus], plannedOperations);
    assert.equal(rows.length, plannedOperations.length);
    assert.deepEqual(
      rows.filter((row) => row.served).map((row) => row.id),
      ['getSystemStatus'],
    );
    assert.equal(totals.contract.served, 1);
    assert.equal(totals.reference.served, 0);
    assert.equal(totals.contract.planned + totals.reference.planned, rows.length);
  });

  it('matches paths whatever their parameters are called', () => {
    const getCluster = like({ id: 'getCluster', path: '/groups/{project}/clusters/{cluster}' });
    const row = coverage([getCluster], plannedOperations).rows.find(({ id }) => id === 'getCluster');
    assert.equal(row?.served, true);
  });

  it('names the versions that a served operation leaves out', () => {
    const getCluster = like({
      id: 'getCluster',
      path: '/groups/{groupId}/clusters/{clusterName}',
      versions: { '2023-01-01': 'same', '2023-02-01': 'unavailable', '2025-03-12': 'same' },
    });
    const row = coverage([getCluster], plannedOperations).rows.find(({ id }) => id === 'getCluster');
    assert.deepEqual(row?.missingVersions, ['2023-02-01', '2024-08-05']);
  });

  it('refuses an operation that nobody planned', () => {
    const stray = like({ id: 'getStray', path: '/stray' });
    assert.throws(
      () => coverage([stray], plannedOperations),
      /getStray \(GET \/stray\) is neither planned nor/,
    );
  });

  it('lists extensions apart, whether marked or under the operator path', () => {
    const marked = like({ id: 'getStray', path: '/stray', extension: true });
    const operator = like({ id: 'getClock', path: '/clock', surface: 'operator' });
    const { extensions } = coverage([marked, operator], plannedOperations);
    assert.deepEqual(
      extensions.map(({ id }) => id),
      ['getStray', 'getClock'],
    );
  });

  it('refuses another id at a planned place, and a place that is taken twice', () => {
    assert.throws(
      () => coverage([like({ id: 'getRoot' })], plannedOperations),
      /is planned as getSystemStatus/,
    );
    const twice = [getSystemStatus, like({})];
    assert.throws(() => coverage(twice, plannedOperations), /GET \/ is served twice/);
  });
});
