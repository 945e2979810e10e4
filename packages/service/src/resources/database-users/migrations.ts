import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 130,
    name: 'database users',
    async up(schema) {
      await schema.run(`
        CREATE TABLE database_user (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          database_name {text} NOT NULL,
          username {text} NOT NULL,
          document {text} NOT NULL,
          delete_after {int64},
          verifiers {bytes},
          UNIQUE (group_id, database_name, username)
        ) {strict}`);
      await schema.run('CREATE INDEX database_user_by_group ON database_user (group_id, id)');
    },
  },
  {
    number: 131,
    name: 'custom database roles',
    async up(schema) {
      await schema.run(`
        CREATE TABLE custom_role (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          name {text} NOT NULL,
          document {text} NOT NULL,
          UNIQUE (group_id, name)
        ) {strict}`);
    },
  },
];
