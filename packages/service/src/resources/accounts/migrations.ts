import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 170,
    name: 'users',
    async up(schema) {
      await schema.run(`
        CREATE TABLE cloud_user (
          id {text} PRIMARY KEY,
          username {text} NOT NULL,
          password_hash {text} NOT NULL,
          first_name {text} NOT NULL,
          last_name {text} NOT NULL,
          country {text} NOT NULL,
          mobile_number {text} NOT NULL,
          created {int64} NOT NULL
        ) {strict}`);
      // User names are e-mail addresses. They are compared without regard to case, as mail servers do in practice.
      await schema.run('CREATE UNIQUE INDEX cloud_user_by_name ON cloud_user (lower(username))');
    },
  },
  {
    number: 173,
    name: 'last logins of users',
    up: (schema) => schema.run('ALTER TABLE cloud_user ADD COLUMN last_auth {int64}'),
  },
  {
    number: 174,
    name: 'proven addresses of users',
    up: (schema) => schema.run('ALTER TABLE cloud_user ADD COLUMN proven {int64}'),
  },
];
