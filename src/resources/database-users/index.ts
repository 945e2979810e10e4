import type { Family } from '../family.ts';
import { migrations } from './migrations.ts';
import {
  createDatabaseUser,
  deleteDatabaseUser,
  getDatabaseUser,
  listDatabaseUsers,
  updateDatabaseUser,
} from './operations.ts';
import { userFaults } from './rules.ts';
import { expireUser } from './tasks.ts';

export { type UserRow, usersOf } from './rows.ts';
export { userSpec } from './verifiers.ts';

export const family: Family = {
  name: 'database-users',
  operations: [
    listDatabaseUsers,
    createDatabaseUser,
    getDatabaseUser,
    updateDatabaseUser,
    deleteDatabaseUser,
  ],
  parameters: {
    databaseName: { description: 'The database of the user: `admin` or `$external`.' },
    username: { description: 'The name of the user.' },
  },
  migrations,
  tasks: [expireUser],
  eventTypes: {
    DB_USER_ADDED: { description: 'Database user was added', alertable: false },
    DB_USER_UPDATED: { description: 'Database user was updated', alertable: false },
    DB_USER_DELETED: { description: 'Database user was deleted', alertable: false },
  },
  faults: [userFaults],
};
