import type { Migration } from '../../store/index.ts';

/** Numbers 800 to 809. All dates are machine time. */
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
];
