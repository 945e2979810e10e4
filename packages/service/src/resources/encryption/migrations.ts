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
      // Master keys that a project has named: also those of former settings, which its snapshots may need.
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
    name: 'keys that are lost',
    async up(schema) {
      // Something that the key has sealed; absent of keys that were named before.
      await schema.run('ALTER TABLE project_master_key ADD COLUMN probe {text}');
      await schema.run(`ALTER TABLE encryption_at_rest ADD COLUMN lost {text} NOT NULL DEFAULT '[]'`);
    },
  },
  {
    number: 312,
    name: 'when keys were named',
    async up(schema) {
      // Of keys that were named before nobody knows.
      await schema.run(`ALTER TABLE encryption_at_rest ADD COLUMN named {text} NOT NULL DEFAULT '{}'`);
    },
  },
];
