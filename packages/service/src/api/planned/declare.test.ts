import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { shapeIn, versionsOf } from '../shapes.ts';
import { plannedOperationsOf } from './index.ts';

const operation = plannedOperationsOf<unknown>();
const rules = { summary: 'Answers it.', access: 'Project Read Only', status: 200 } as const;

describe('an operation of the catalogue', () => {
  it('has its method, path, tag and versions from there', () => {
    const { id, method, path, tag, ...declared } = operation('getProject', {
      ...rules,
      handler: async (call) => void call.params.groupId,
    });
    assert.deepEqual(
      { id, method, path, tag },
      { id: 'getProject', method: 'GET', path: '/groups/{groupId}', tag: 'Projects' },
    );
    assert.deepEqual(declared.versions, { '2023-01-01': 'same', '2025-03-12': 'same' });
  });

  it('says only which versions differ', () => {
    const former = { reply: Type.Object({}) };
    const getCluster = operation('getCluster', {
      ...rules,
      versions: { '2023-02-01': former, '2024-08-05': 'unavailable' },
      handler: async () => {},
    });
    assert.deepEqual(versionsOf(getCluster), ['2023-01-01', '2023-02-01', '2024-08-05', '2025-03-12']);
    assert.equal(shapeIn(getCluster, '2023-02-01')?.reply, former.reply);
    assert.equal(shapeIn(getCluster, '2024-08-05'), undefined);
    assert.equal(shapeIn(getCluster, '2025-03-12')?.change, undefined);
  });

  it('is one that the catalogue has, with the parameters of its path', () => {
    operation('getProject', {
      ...rules,
      // @ts-expect-error: the path of getProject names no cluster.
      handler: async (call) => void call.params.clusterName,
    });
    // @ts-expect-error: nothing of this name is planned.
    assert.throws(() => operation('getProjekt', { ...rules, handler: async () => {} }), TypeError);
  });
});
