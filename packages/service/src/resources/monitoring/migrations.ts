import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 320,
    name: 'measurements',
    async up(schema) {
      // Of a member, or of the databases of the whole cluster where `member_id` is empty; by seconds of each point.
      await schema.run(`
        CREATE TABLE measurement (
          cluster_id {text} NOT NULL REFERENCES cluster (id) ON DELETE CASCADE,
          member_id {text} NOT NULL,
          seconds {int64} NOT NULL,
          start {int64} NOT NULL,
          document {text} NOT NULL,
          PRIMARY KEY (cluster_id, member_id, seconds, start)
        ) {strict}`);
      await schema.run('CREATE INDEX measurement_by_age ON measurement (seconds, start)');
      // The last sample that has been counted: a sample counts once, whoever has read it.
      await schema.run(`
        CREATE TABLE measured (
          cluster_id {text} NOT NULL REFERENCES cluster (id) ON DELETE CASCADE,
          member_id {text} NOT NULL,
          sample {text} NOT NULL,
          PRIMARY KEY (cluster_id, member_id)
        ) {strict}`);
    },
  },
  {
    number: 321,
    name: 'autoscaling',
    async up(schema) {
      await schema.run(`
        CREATE TABLE autoscaling (
          cluster_id {text} PRIMARY KEY REFERENCES cluster (id) ON DELETE CASCADE,
          changed {int64},
          refused {text} NOT NULL
        ) {strict}`);
    },
  },
];
