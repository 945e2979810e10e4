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
  {
    number: 132,
    name: 'certificates of database users',
    async up(schema) {
      await schema.run(`
        CREATE TABLE certificate_authority (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          certificate {text} NOT NULL,
          sealed_key {bytes} NOT NULL
        ) {strict}`);
      await schema.run(`
        CREATE TABLE user_certificate (
          group_id {text} NOT NULL,
          serial {int64} NOT NULL,
          user_id {text} NOT NULL REFERENCES database_user (id) ON DELETE CASCADE,
          subject {text} NOT NULL,
          created {int64} NOT NULL,
          not_after {int64} NOT NULL,
          PRIMARY KEY (group_id, serial)
        ) {strict}`);
      await schema.run('CREATE INDEX user_certificate_by_user ON user_certificate (user_id, created)');
    },
  },
  {
    number: 133,
    name: 'certificate authorities of customers',
    async up(schema) {
      await schema.run(`
        CREATE TABLE customer_authority (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          certificates {text} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 134,
    name: 'LDAP settings',
    async up(schema) {
      await schema.run(`
        CREATE TABLE ldap_settings (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          document {text} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 175,
    name: 'passwords of database users on adopted deployments',
    up: (schema) => schema.run('ALTER TABLE database_user ADD COLUMN password {bytes}'),
  },
  {
    number: 135,
    name: 'verifications of LDAP servers',
    async up(schema) {
      await schema.run(`
        CREATE TABLE directory_check (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          request {text} NOT NULL,
          sealed {bytes},
          validations {text}
        ) {strict}`);
      await schema.run('CREATE INDEX directory_check_by_group ON directory_check (group_id, id)');
    },
  },
];
