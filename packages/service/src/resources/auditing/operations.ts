import { operation } from '../services.ts';
import { changeAuditing, NOT_AUDITED } from './changes.ts';
import { type Auditing, findAuditing } from './rows.ts';
import { checkFilter } from './rules.ts';
import { AuditingConfiguration } from './schema.ts';

function presentAuditing({ enabled, filter, authorizationSuccess }: Auditing) {
  return {
    auditAuthorizationSuccess: authorizationSuccess,
    ...(filter === undefined ? {} : { auditFilter: filter }),
    configurationType: filter === undefined ? ('NONE' as const) : ('FILTER_JSON' as const),
    enabled,
  };
}

export const getAuditing = operation({
  id: 'getAuditingConfiguration',
  tag: 'Auditing',
  method: 'GET',
  path: '/groups/{groupId}/auditLog',
  summary: 'Returns the audit configuration of a project.',
  access: 'Project Owner',
  reply: AuditingConfiguration,
  status: 200,
  reachedFrom: { project: 'auditLog' },
  handler: (call) =>
    call.read(async (tx) => presentAuditing((await findAuditing(tx, call.params.groupId)) ?? NOT_AUDITED)),
});

export const updateAuditing = operation({
  id: 'updateAuditingConfiguration',
  tag: 'Auditing',
  method: 'PATCH',
  path: '/groups/{groupId}/auditLog',
  summary: 'Updates the audit configuration of a project. Omitted fields keep their values.',
  access: 'Project Owner',
  body: AuditingConfiguration,
  reply: AuditingConfiguration,
  status: 200,
  async handler(call) {
    const { groupId } = call.params;
    await checkFilter(call.body.auditFilter);
    return call.write(async (tx) =>
      presentAuditing(await changeAuditing(tx, groupId, call.body, call.actor)),
    );
  },
});
