import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 410,
    name: 'auditing of projects',
    async up(schema) {
      await schema.run(`
        CREATE TABLE project_auditing (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          enabled {int64} NOT NULL,
          filter {text},
          authorization_success {int64} NOT NULL
        ) {strict}`);
    },
  },
];
