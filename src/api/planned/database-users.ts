import { type PlannedTag, reference } from './planned.ts';

export const databaseUsers: PlannedTag = {
  tag: 'Database Users',
  paths: {
    '/groups/{groupId}/databaseUsers': {
      GET: reference('listDatabaseUsers'),
      POST: reference('createDatabaseUser'),
    },
    '/groups/{groupId}/databaseUsers/{databaseName}/{username}': {
      GET: reference('getDatabaseUser'),
      PATCH: reference('updateDatabaseUser'),
      DELETE: reference('deleteDatabaseUser'),
    },
  },
};
