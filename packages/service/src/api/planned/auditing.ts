import { contract, plannedTag } from './planned.ts';

export const auditing = plannedTag('Auditing', {
  getAuditingConfiguration: contract('GET /groups/{groupId}/auditLog'),
  updateAuditingConfiguration: contract('PATCH /groups/{groupId}/auditLog'),
});
