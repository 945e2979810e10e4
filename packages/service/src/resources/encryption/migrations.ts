import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 310,
    name: 'encryption at rest',
    async up(schema) {
      await schema.run(`
        CREATE TABLE encryption_at_rest (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          settings {text} NOT NULL,
          secrets {bytes} NOT NULL
        ) {strict}`);
      // Contains all master keys that a project has ever used. Snapshots of the project may need keys that its settings
      // do not name any more.
      await schema.run(`
        CREATE TABLE project_master_key (
          id {text} NOT NULL,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          PRIMARY KEY (id, group_id)
        ) {strict}`);
    },
  },
  {
    number: 311,
    name: 'lost encryption keys',
    async up(schema) {
      // A value encrypted with the key; null for keys that were stored before this migration.
      await schema.run('ALTER TABLE project_master_key ADD COLUMN probe {text}');
      await schema.run(`ALTER TABLE encryption_at_rest ADD COLUMN lost {text} NOT NULL DEFAULT '[]'`);
    },
  },
  {
    number: 312,
    name: 'dates of encryption keys',
    async up(schema) {
      // The dates on which keys were first named. No date is known for keys that were stored before this migration.
      await schema.run(`ALTER TABLE encryption_at_rest ADD COLUMN named {text} NOT NULL DEFAULT '{}'`);
    },
  },
];
