import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 320,
    name: 'measurements',
    async up(schema) {
      // A row is about one member or, if `member_id` is empty, about the databases of the whole cluster. `seconds` is
      // the length of its interval.
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
      // The table contains the last counted sample of each member, so that each sample counts once even if several
      // instances read it.
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
