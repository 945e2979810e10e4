import { countOf, type ReadTx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { deleteLimit, limitValue, saveLimit } from './rows.ts';
import { checkLimitValue, type LimitName, limitNames, limitOf, requireLimitName } from './rules.ts';
import { ProjectLimit } from './schema.ts';

async function limitView(tx: ReadTx, groupId: string, name: LimitName) {
  const { counter, defaultLimit, maximumLimit } = limitOf(name);
  return {
    currentUsage: counter === undefined ? 0 : await countOf(tx, counter, groupId),
    defaultLimit,
    maximumLimit,
    name,
    value: (await limitValue(tx, groupId, name)) ?? defaultLimit,
  };
}

export const listLimits = operation({
  id: 'listProjectLimits',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/limits',
  summary: 'Lists the limits of a project.',
  access: 'Project Read Only',
  reply: ProjectLimit,
  list: 'array',
  status: 200,
  reachedFrom: { project: 'limits' },
  handler: (call) =>
    call.read(async (tx) => {
      const rows = [];
      for (const name of limitNames) rows.push(await limitView(tx, call.params.groupId, name));
      return rows;
    }),
});

export const getLimit = operation({
  id: 'getProjectLimit',
  tag: 'Projects',
  method: 'GET',
  path: '/groups/{groupId}/limits/{limitName}',
  summary: 'Returns one limit of a project.',
  access: 'Project Read Only',
  reply: ProjectLimit,
  status: 200,
  handler: (call) =>
    call.read((tx) => limitView(tx, call.params.groupId, requireLimitName(call.params.limitName))),
});

export const setLimit = operation({
  id: 'setProjectLimit',
  tag: 'Projects',
  method: 'PATCH',
  path: '/groups/{groupId}/limits/{limitName}',
  summary: 'Sets a limit of a project. Existing resources are kept, even above the limit.',
  access: 'Project Owner',
  body: ProjectLimit,
  reply: ProjectLimit,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId } = call.params;
      const name = requireLimitName(call.params.limitName);
      checkLimitValue(name, call.body.value);
      await saveLimit(tx, groupId, name, call.body.value);
      return limitView(tx, groupId, name);
    }),
});

export const resetLimit = operation({
  id: 'deleteProjectLimit',
  tag: 'Projects',
  method: 'DELETE',
  path: '/groups/{groupId}/limits/{limitName}',
  summary: 'Resets a limit of a project to its default.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write((tx) => deleteLimit(tx, call.params.groupId, requireLimitName(call.params.limitName)));
  },
});
