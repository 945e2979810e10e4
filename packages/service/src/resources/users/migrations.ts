import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 171,
    name: 'teams',
    async up(schema) {
      await schema.run(`
        CREATE TABLE team (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          name {text} NOT NULL,
          UNIQUE (org_id, name)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE team_member (
          team_id {text} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
          user_id {text} NOT NULL,
          PRIMARY KEY (team_id, user_id)
        ) {strict}`);
      await schema.run('CREATE INDEX team_of_member ON team_member (user_id, team_id)');
    },
  },
  {
    number: 172,
    name: 'invitations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE invitation (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
          user_id {text} NOT NULL,
          username {text} NOT NULL,
          inviter {text} NOT NULL,
          origin {text} NOT NULL CHECK (origin IN ('org', 'group')),
          document {text} NOT NULL,
          created {int64} NOT NULL,
          expires {int64} NOT NULL
        ) {strict}`);
      await schema.run('CREATE UNIQUE INDEX invitation_of_user ON invitation (org_id, user_id)');
      await schema.run('CREATE INDEX invitation_by_name ON invitation (lower(username))');
    },
  },
];
