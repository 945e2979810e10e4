import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 1000,
    name: 'online archives',
    async up(schema) {
      await schema.run(`
        CREATE TABLE online_archive (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL REFERENCES cluster (id) ON DELETE CASCADE,
          db_name {text} NOT NULL,
          coll_name {text} NOT NULL,
          settings {text} NOT NULL,
          state {text} NOT NULL,
          seen {int64} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX online_archive_by_cluster ON online_archive (cluster_id, id)');
    },
  },
  {
    number: 1001,
    name: 'failures of online archives',
    async up(schema) {
      await schema.run('ALTER TABLE online_archive ADD COLUMN failure {text}');
    },
  },
];
