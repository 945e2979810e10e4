import { contract, type PlannedTag } from './planned.ts';

export const auditing: PlannedTag = {
  tag: 'Auditing',
  paths: {
    '/groups/{groupId}/auditLog': {
      GET: contract('getAuditingConfiguration'),
      PATCH: contract('updateAuditingConfiguration'),
    },
  },
};
