import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 310,
    name: 'encryption at rest',
    async up(schema) {
      await schema.run(`
        CREATE TABLE encryption_at_rest (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          settings {text} NOT NULL,
          secrets {bytes} NOT NULL
        ) {strict}`);
      // Master keys that a project has named: also those of former settings, which its snapshots may need.
      await schema.run(`
        CREATE TABLE project_master_key (
          id {text} NOT NULL,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          PRIMARY KEY (id, group_id)
        ) {strict}`);
    },
  },
];
