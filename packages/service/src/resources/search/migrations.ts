import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 500,
    name: 'search indexes',
    async up(schema) {
      await schema.run(`
        CREATE TABLE search_index (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          database_name {text} NOT NULL,
          collection_name {text} NOT NULL,
          name {text} NOT NULL,
          type {text} NOT NULL,
          definition {text} NOT NULL,
          version {int64} NOT NULL,
          version_created {int64} NOT NULL,
          status {text} NOT NULL,
          message {text},
          UNIQUE (cluster_id, database_name, collection_name, name)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE search_analyzers (
          cluster_id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          analyzers {text} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 501,
    name: 'search nodes',
    async up(schema) {
      await schema.run(`
        CREATE TABLE search_deployment (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL UNIQUE,
          instance_size {text} NOT NULL,
          node_count {int64} NOT NULL,
          state {text} NOT NULL,
          revision {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 502,
    name: 'synonyms of search indexes',
    async up(schema) {
      await schema.run('ALTER TABLE search_index ADD COLUMN synonyms {text}');
    },
  },
  {
    number: 503,
    name: 'search indexes keyed by cluster and id',
    async up(schema) {
      // SQLite cannot change the primary key of an existing table.
      await schema.run('ALTER TABLE search_index RENAME TO former_search_index');
      await schema.run(`
        CREATE TABLE search_index (
          cluster_id {text} NOT NULL,
          id {text} NOT NULL,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          database_name {text} NOT NULL,
          collection_name {text} NOT NULL,
          name {text} NOT NULL,
          type {text} NOT NULL,
          definition {text} NOT NULL,
          version {int64} NOT NULL,
          version_created {int64} NOT NULL,
          status {text} NOT NULL,
          message {text},
          synonyms {text},
          PRIMARY KEY (cluster_id, id),
          UNIQUE (cluster_id, database_name, collection_name, name)
        ) {strict}`);
      const columns =
        'cluster_id, id, group_id, database_name, collection_name, name, type, definition, version, version_created, status, message, synonyms';
      await schema.run(`INSERT INTO search_index (${columns}) SELECT ${columns} FROM former_search_index`);
      await schema.run('DROP TABLE former_search_index');
    },
  },
  {
    number: 504,
    name: 'search indexes without a type',
    async up(schema) {
      await schema.run('ALTER TABLE search_index ADD COLUMN untyped {int64} NOT NULL DEFAULT 0');
    },
  },
];
