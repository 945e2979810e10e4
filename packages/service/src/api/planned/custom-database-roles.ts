import { plannedTag, reference } from './planned.ts';

export const customDatabaseRoles = plannedTag('Custom Database Roles', {
  listCustomDatabaseRoles: reference('GET /groups/{groupId}/customDBRoles/roles'),
  createCustomDatabaseRole: reference('POST /groups/{groupId}/customDBRoles/roles'),
  getCustomDatabaseRole: reference('GET /groups/{groupId}/customDBRoles/roles/{roleName}'),
  updateCustomDatabaseRole: reference('PATCH /groups/{groupId}/customDBRoles/roles/{roleName}'),
  deleteCustomDatabaseRole: reference('DELETE /groups/{groupId}/customDBRoles/roles/{roleName}'),
});
