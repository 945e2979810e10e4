import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { folderWith } from '../testing.ts';
import { readScenarios } from './scenarios.ts';
import { RECORDED_PROJECT } from './service.ts';

const exchange = (path: string, method: string, text: string, ...responses: object[]) => ({
  path: `/api/atlas/v2/${path}`,
  method,
  version: '2024-08-05',
  text,
  responses,
});
const response = (index: number, status: number, text: string) => ({ response_index: index, status, text });

const LIST = 'groups/{groupId}/clusters';

test('reads the requests of a scenario with their bodies, in the order of the responses', (t) => {
  const scenario = {
    variables: { clusterName: 'quay', clusterName2: 'other', groupId: 'c'.repeat(24) },
    steps: [
      {
        request_responses: [
          exchange(`${LIST}/{clusterName}`, 'GET', '', response(2, 200, '{}'), response(4, 404, '')),
          exchange(LIST, 'POST', '{"name": "{clusterName}"}', response(1, 201, '{"groupId": "{groupId}"}')),
          exchange('groups/{groupId}/containers?providerName=AWS', 'GET', '', response(3, 200, '{}')),
          exchange(`${LIST}/{clusterName2}`, 'GET', '', response(5, 200, '{}')),
        ],
      },
    ],
  };
  const root = folderWith(t, {
    'internal/service/clusters/testdata/TestQuay.yaml': stringify(scenario),
    'internal/service/clusters/testdata/Part.tmpl.yaml': stringify(scenario),
  });
  const stories = readScenarios(root);
  const base = `groups_${RECORDED_PROJECT}`;
  assert.deepEqual([...stories.keys()], ['TestQuay']);
  assert.deepEqual(
    stories.get('TestQuay')?.map(({ method, flatPath, query, status, request, body }) => {
      return [method, flatPath, query, status, request, body];
    }),
    [
      ['POST', `${base}_clusters`, '', 201, { name: 'quay' }, { groupId: RECORDED_PROJECT }],
      ['GET', `${base}_clusters_quay`, '', 200, undefined, {}],
      ['GET', `${base}_containers`, 'providerName=AWS', 200, undefined, {}],
      ['GET', `${base}_clusters_quay`, '', 404, undefined, undefined],
    ],
  );
});
