import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 900,
    name: 'log exports',
    async up(schema) {
      await schema.run(`
        CREATE TABLE log_export (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          revision {text} NOT NULL,
          bucket_name {text} NOT NULL,
          role_id {text} NOT NULL,
          prefix_path {text} NOT NULL,
          state {text} NOT NULL,
          created {int64} NOT NULL
        ) {strict}`);
      // The end of the period whose log lines have been exported.
      await schema.run(`
        CREATE TABLE log_export_mark (
          cluster_id {text} PRIMARY KEY REFERENCES cluster (id) ON DELETE CASCADE,
          exported {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 901,
    name: 'begun periods of log exports',
    async up(schema) {
      await schema.run('ALTER TABLE log_export_mark ADD COLUMN begun {text}');
    },
  },
];
