import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterModel } from '../model/cluster.ts';
import { hasOtherArguments, hasOtherCompatibility } from './refused-arguments.ts';

test('arguments are set again if a restart has reset them, but not if the servers have refused them', () => {
  const cluster = { spec: { arguments: { noTableScan: true, defaultMaxTimeMS: null } } };
  const differs = (refused: readonly string[], noTableScan: boolean | null) =>
    hasOtherArguments(
      cluster as unknown as ClusterModel,
      { arguments: { noTableScan, defaultMaxTimeMS: 5 } },
      new Set(refused),
    );
  assert.equal(differs([], true), false);
  assert.equal(differs([], false), true);
  // The value null means that the values of the members differ.
  assert.equal(differs([], null), true);
  assert.equal(differs(['noTableScan'], false), false);
  assert.equal(differs(['defaultMaxTimeMS'], false), true);
});

test('a version is set again while it is pinned, and given up after the pin', () => {
  const differs = (pinned: string | undefined, kept: string | undefined, found?: string, refused = '') => {
    const spec = { pinned: pinned === undefined ? undefined : { version: pinned, expires: '' } };
    const cluster = { spec, placement: { keptCompatibility: kept } } as unknown as ClusterModel;
    const servers = found === undefined ? {} : { featureCompatibilityVersion: found };
    return hasOtherCompatibility(cluster, servers, new Set([refused]));
  };
  assert.equal(differs('8.0', '8.0', '8.0'), false);
  assert.equal(differs('8.0', '8.0', '8.2'), true);
  assert.equal(differs('8.0', '8.0', '8.2', 'featureCompatibilityVersion'), false);
  assert.equal(differs(undefined, '8.0', '8.0'), true);
  // Nobody has pinned the version, so the operator of the servers decides about it.
  assert.equal(differs(undefined, undefined, '8.0'), false);
  assert.equal(differs('8.0', '8.0'), false);
});
