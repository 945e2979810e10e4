import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { generalFaults } from '../../../api/faults.ts';
import { Links, readOnly } from '../../../api/fields.ts';
import { faults } from '../../../runtime/faults.ts';
import { countOf, type ReadTx } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { type LimitName, limitNamed, limitNames } from './limits.ts';
import { deleteLimit, limitValue, saveLimit } from './rows.ts';

export const limitFaults = faults({
  PROJECT_LIMIT_NOT_FOUND: [404, 'No limit named {0} exists.'],
  PROJECT_LIMIT_OUT_OF_RANGE: [400, 'The limit {0} may be from 1 to {1}.'],
});

const ProjectLimit = entity(
  Type.Object(
    {
      currentUsage: readOnly(Type.Integer()),
      defaultLimit: readOnly(Type.Integer()),
      links: Links,
      maximumLimit: readOnly(Type.Integer()),
      name: readOnly(Type.String()),
      value: Type.Integer({ description: 'How many the project may hold.' }),
    },
    { description: 'How many of a kind a project may hold.' },
  ),
  { name: 'projectLimit', self: 'getProjectLimit', params: (limit) => ({ limitName: limit.name ?? '' }) },
);

async function present(tx: ReadTx, groupId: string, name: LimitName) {
  const { counter, defaultLimit, maximumLimit } = limitNamed(name);
  return {
    currentUsage: counter === undefined ? 0 : await countOf(tx, counter, groupId),
    defaultLimit,
    maximumLimit,
    name,
    value: (await limitValue(tx, groupId, name)) ?? defaultLimit,
  };
}

function known(name: string): LimitName {
  const found = limitNames.find((each) => each === name);
  if (found === undefined) throw limitFaults.PROJECT_LIMIT_NOT_FOUND(name);
  return found;
}

export const listLimits = operation('listProjectLimits', {
  summary: 'Lists how many of each kind a project may hold.',
  access: 'Project Read Only',
  reply: ProjectLimit,
  list: 'array',
  status: 200,
  reachedFrom: { project: 'limits' },
  handler: (call) =>
    call.read(async (tx) => {
      const rows = [];
      for (const name of limitNames) rows.push(await present(tx, call.params.groupId, name));
      return rows;
    }),
});

export const getLimit = operation('getProjectLimit', {
  summary: 'Answers one limit of a project.',
  access: 'Project Read Only',
  reply: ProjectLimit,
  status: 200,
  handler: (call) => call.read((tx) => present(tx, call.params.groupId, known(call.params.limitName))),
});

export const setLimit = operation('setProjectLimit', {
  summary: 'Changes a limit of a project; what it holds already stays.',
  access: 'Project Owner',
  body: ProjectLimit,
  reply: ProjectLimit,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId } = call.params;
      const name = known(call.params.limitName);
      const { maximumLimit } = limitNamed(name);
      const { value } = call.body;
      if (value < 1 || value > maximumLimit) {
        throw limitFaults.PROJECT_LIMIT_OUT_OF_RANGE(name, maximumLimit);
      }
      if (call.readOnly.has('name') && call.readOnly.get('name') !== name) {
        throw generalFaults.ATTRIBUTE_READ_ONLY('name');
      }
      await saveLimit(tx, groupId, name, value);
      return present(tx, groupId, name);
    }),
});

export const resetLimit = operation('deleteProjectLimit', {
  summary: 'Gives a limit of a project its default back.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write((tx) => deleteLimit(tx, call.params.groupId, known(call.params.limitName)));
  },
});
