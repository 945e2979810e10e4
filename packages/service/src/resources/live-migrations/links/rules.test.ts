import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportedDeployment } from '../protocol.ts';
import type { AgentRow } from './rows.ts';
import { availableProjects } from './rules.ts';

const deployment = (name: string): ReportedDeployment => ({
  agentVersion: '1',
  dbSizeBytes: 1,
  featureCompatibilityVersion: '8.0',
  managed: false,
  dbVersion: '8.0.1',
  name,
  sharded: false,
  shardsSize: 1,
  tlsEnabled: false,
});

function agent(
  host: string,
  heard: number,
  ...projects: readonly (readonly [id: string, ...names: string[]])[]
): AgentRow {
  return {
    id: host,
    orgId: 'org',
    host,
    address: '127.0.0.1',
    heard,
    projects: projects.map(([projectId, ...names]) => ({
      projectId,
      name: `project ${projectId}`,
      deployments: names.map(deployment),
    })),
  };
}

test('a project is listed once, with every host that reaches it', () => {
  const agents = [agent('a', 1_000, ['1', 'x', 'y'], ['2']), agent('b', 1_000, ['1', 'y', 'z'])];
  assert.deepEqual(availableProjects(agents, 2_000), [
    {
      deployments: ['x', 'y', 'z'].map(deployment),
      migrationHosts: ['a', 'b'],
      name: 'project 1',
      projectId: '1',
    },
    { deployments: [], migrationHosts: ['a'], name: 'project 2', projectId: '2' },
  ]);
});

test('does not list projects of a disconnected host', () => {
  const agents = [agent('a', 1_000, ['1', 'x'])];
  assert.equal(availableProjects(agents, 31_000).length, 1);
  assert.deepEqual(availableProjects(agents, 31_001), []);
});
