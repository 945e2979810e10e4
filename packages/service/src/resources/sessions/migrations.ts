import type { Migration } from '../../store/index.ts';

/**
 * This family has the migration numbers 800 to 809, without 801, 804 and 805, which belong to the family `mails`. All
 * dates are machine time.
 */
export const migrations: readonly Migration[] = [
  {
    number: 800,
    name: 'sessions of people',
    async up(schema) {
      await schema.run(`CREATE TABLE login_session (
        id {text} PRIMARY KEY,
        token_hash {bytes} NOT NULL UNIQUE,
        user_id {text} NOT NULL,
        operator {int64} NOT NULL,
        address {text} NOT NULL,
        agent {text} NOT NULL,
        created {int64} NOT NULL,
        used {int64} NOT NULL
      ) {strict}`);
      await schema.run('CREATE INDEX login_session_of_user ON login_session (user_id, id)');
      await schema.run(`CREATE TABLE login_link (
        token_hash {bytes} PRIMARY KEY,
        expires {int64} NOT NULL
      ) {strict}`);
    },
  },
  {
    number: 802,
    name: 'one-time codes of people',
    async up(schema) {
      await schema.run(`CREATE TABLE one_time_code (
        user_id {text} PRIMARY KEY,
        sealed {bytes} NOT NULL,
        confirmed {int64} NOT NULL,
        last_step {int64} NOT NULL,
        recovery {text} NOT NULL
      ) {strict}`);
    },
  },
  {
    number: 803,
    name: 'logins by OpenID Connect',
    async up(schema) {
      await schema.run(`CREATE TABLE openid_identity (
        issuer {text} NOT NULL,
        subject {text} NOT NULL,
        user_id {text} NOT NULL,
        created {int64} NOT NULL,
        PRIMARY KEY (issuer, subject),
        UNIQUE (issuer, user_id)
      ) {strict}`);
      await schema.run(`CREATE TABLE used_openid_state (
        state_hash {bytes} PRIMARY KEY,
        expires {int64} NOT NULL
      ) {strict}`);
    },
  },
  {
    number: 806,
    name: 'sessions that began with an identity provider of an organization',
    up: (schema) => schema.run('ALTER TABLE login_session ADD COLUMN provider_id {text}'),
  },
];
