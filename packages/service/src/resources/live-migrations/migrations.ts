import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 610,
    name: 'live migrations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE migration_link_token (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          sealed {bytes} NOT NULL,
          addresses {text} NOT NULL,
          used_by {text}
        ) {strict}`);
      await schema.run(`
        CREATE TABLE migration_agent (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          host {text} NOT NULL,
          address {text} NOT NULL,
          projects {text} NOT NULL,
          heard {int64} NOT NULL,
          UNIQUE (org_id, host)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE migration_check (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          status {text} NOT NULL,
          wish {text} NOT NULL,
          sealed {bytes},
          survey {text},
          problem {text},
          migration_id {text}
        ) {strict}`);
      await schema.run(`
        CREATE TABLE live_migration (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          cluster_name {text} NOT NULL,
          state {text} NOT NULL,
          ending {text},
          wish {text} NOT NULL,
          sealed {bytes},
          progress {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX live_migration_cluster ON live_migration (cluster_id)');
      await schema.run('CREATE INDEX live_migration_org ON live_migration (org_id)');
      await schema.run('CREATE INDEX migration_check_org ON migration_check (org_id)');
    },
  },
];
