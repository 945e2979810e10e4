import { generalFaults } from '../../../api/faults.ts';
import type { PageRequest, ReadTx } from '../../../store/index.ts';
import { pageOf } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import {
  addIntegration,
  readType,
  removeIntegration,
  replaceIntegration,
  requireIntegration,
} from './changes.ts';
import { type IntegrationRow, integrationsOf } from './rows.ts';
import { Integration } from './schema.ts';

const tag = 'Third-Party Integrations';
const PATH = '/groups/{groupId}/integrations/{integrationType}';

const presented = ({ id, type, document }: IntegrationRow): Integration => ({ ...document, id, type });

async function pageOfIntegrations(tx: ReadTx, groupId: string, page: PageRequest) {
  return pageOf((await integrationsOf(tx, groupId)).map(presented), page);
}

/** Throws if the type in the body differs from the type in the path. */
function checkType(body: Integration, integrationType: string): void {
  if (body.type !== readType(integrationType)) throw generalFaults.INVALID_ATTRIBUTE('type');
}

/** The common parts of write operations. Each of these operations returns the resulting list. */
const written = {
  tag,
  path: PATH,
  access: 'Project Owner',
  body: Integration,
  reply: Integration,
  list: 'page',
  status: 200,
} as const;

export const listIntegrations = extension({
  id: 'listIntegrations',
  summary: 'Lists the third-party integrations of a project, sorted by type.',
  tag,
  method: 'GET',
  path: '/groups/{groupId}/integrations',
  access: 'Project Read Only',
  reply: Integration,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'integrations' },
  handler: (call) => call.read((tx) => pageOfIntegrations(tx, call.params.groupId, call.page)),
});

export const getIntegration = extension({
  id: 'getIntegration',
  summary: 'Returns one third-party integration of a project with masked secrets.',
  tag,
  method: 'GET',
  path: PATH,
  access: 'Project Read Only',
  reply: Integration,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, integrationType } = call.params;
      return presented(await requireIntegration(tx, groupId, readType(integrationType)));
    }),
});

export const createIntegration = extension({
  id: 'createIntegration',
  ...written,
  summary: 'Adds a third-party integration to a project, and returns all integrations of the project.',
  method: 'POST',
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, integrationType } = call.params;
      checkType(call.body, integrationType);
      await addIntegration(tx, groupId, call.body, { actor: call.actor, ...call.services });
      return pageOfIntegrations(tx, groupId, call.page);
    }),
});

export const updateIntegration = extension({
  id: 'updateIntegration',
  ...written,
  summary: 'Replaces a third-party integration of a project, and returns all integrations of the project.',
  method: 'PUT',
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, integrationType } = call.params;
      checkType(call.body, integrationType);
      const before = await requireIntegration(tx, groupId, call.body.type);
      await replaceIntegration(tx, before, call.body, { actor: call.actor, ...call.services });
      return pageOfIntegrations(tx, groupId, call.page);
    }),
});

export const deleteIntegration = extension({
  id: 'deleteIntegration',
  summary: 'Removes a third-party integration from a project. Fails if a notification uses the integration.',
  tag,
  method: 'DELETE',
  path: PATH,
  access: 'Project Owner',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, integrationType } = call.params;
      const row = await requireIntegration(tx, groupId, readType(integrationType));
      await removeIntegration(tx, row, call.actor);
    }),
});
