import { plannedTag, reference } from './planned.ts';

export const databaseUsers = plannedTag('Database Users', {
  listDatabaseUsers: reference('GET /groups/{groupId}/databaseUsers'),
  createDatabaseUser: reference('POST /groups/{groupId}/databaseUsers'),
  getDatabaseUser: reference('GET /groups/{groupId}/databaseUsers/{databaseName}/{username}'),
  updateDatabaseUser: reference('PATCH /groups/{groupId}/databaseUsers/{databaseName}/{username}'),
  deleteDatabaseUser: reference('DELETE /groups/{groupId}/databaseUsers/{databaseName}/{username}'),
});
