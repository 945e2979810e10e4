import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 110,
    name: 'projects',
    async up(schema) {
      await schema.run(`
        CREATE TABLE project (
          id {text} PRIMARY KEY,
          org_id {text} NOT NULL REFERENCES organization (id),
          name {text} NOT NULL,
          created {int64} NOT NULL,
          region_usage {text} NOT NULL,
          tags {text} NOT NULL,
          UNIQUE (org_id, name)
        ) {strict}`);
      // This index serves lists, which read the projects of an organization in the order of their ids. Another index
      // serves lookups by name, which cover all organizations.
      await schema.run('CREATE INDEX project_by_org ON project (org_id, id)');
      await schema.run('CREATE INDEX project_by_name ON project (name)');
    },
  },
  {
    number: 111,
    name: 'limits and settings of projects',
    async up(schema) {
      await schema.run(`
        CREATE TABLE project_limit (
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          name {text} NOT NULL,
          value {int64} NOT NULL,
          PRIMARY KEY (group_id, name)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE project_settings (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          document {text} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 112,
    name: 'default alerts of projects',
    async up(schema) {
      await schema.run('ALTER TABLE project ADD COLUMN default_alerts {int64} NOT NULL DEFAULT 1');
    },
  },
];
