import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 720,
    name: 'deployments that others run',
    up: (schema) =>
      schema.run(`CREATE TABLE adopted_deployment (
        cluster_id {text} PRIMARY KEY,
        created {int64} NOT NULL,
        connection {bytes} NOT NULL
      ) {strict}`),
  },
  {
    number: 176,
    name: 'accounts on deployments that others run',
    // There is no foreign key to `adopted_deployment`, since this migration has a lower number and runs before that
    // table exists.
    up: (schema) =>
      schema.run(`CREATE TABLE adopted_account (
        cluster_id {text} NOT NULL,
        kind {text} NOT NULL,
        database_name {text} NOT NULL,
        name {text} NOT NULL,
        state {text} NOT NULL,
        mark {text} NOT NULL,
        digest {text} NOT NULL,
        problem {text},
        PRIMARY KEY (cluster_id, kind, database_name, name)
      ) {strict}`),
  },
  {
    number: 721,
    name: 'revisions of the accounts on deployments that others run',
    up: (schema) =>
      schema.run('ALTER TABLE adopted_deployment ADD COLUMN access_revision {int64} NOT NULL DEFAULT 0'),
  },
  {
    number: 722,
    name: 'drops of the databases of deployments that others run',
    up: (schema) =>
      schema.run(`CREATE TABLE deployment_drop (
        cluster_id {text} PRIMARY KEY,
        owner {text} NOT NULL,
        expires {int64} NOT NULL
      ) {strict}`),
  },
  {
    number: 723,
    name: 'search indexes on deployments that others run',
    up: (schema) =>
      schema.run(`CREATE TABLE adopted_search_index (
        cluster_id {text} NOT NULL,
        id {text} NOT NULL,
        server_id {text} NOT NULL,
        version {int64} NOT NULL,
        server_version {int64} NOT NULL,
        PRIMARY KEY (cluster_id, id)
      ) {strict}`),
  },
];
