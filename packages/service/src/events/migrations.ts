import type { Migration } from '../store/store.ts';

export const eventMigrations: readonly Migration[] = [
  {
    number: 30,
    name: 'events',
    async up(schema) {
      await schema.run(`CREATE TABLE event (
        id {text} PRIMARY KEY,
        position {text} NOT NULL,
        type {text} NOT NULL,
        org_id {text} NOT NULL,
        group_id {text},
        created {int64} NOT NULL,
        api_key_id {text},
        public_key {text},
        user_id {text},
        username {text},
        remote_address {text},
        cluster_name {text},
        details {text}
      ) {strict}`);
      await schema.run('CREATE INDEX event_by_org ON event (org_id, position)');
      await schema.run('CREATE INDEX event_by_group ON event (group_id, position)');
    },
  },
  {
    number: 31,
    name: 'events of the projects that a caller may read',
    async up(schema) {
      await schema.run('DROP INDEX event_by_org');
      // The index includes the project, so that filtering by project does not read the table.
      await schema.run('CREATE INDEX event_by_org ON event (org_id, position, group_id)');
    },
  },
  {
    number: 32,
    name: 'events of custom roles as the reference names them',
    async up(schema) {
      for (const change of ['ADDED', 'UPDATED', 'DELETED']) {
        const names = `'DB_ROLE_${change}' WHERE type = 'DB_CUSTOM_ROLE_${change}'`;
        await schema.run(`UPDATE event SET type = ${names}`);
      }
    },
  },
  {
    number: 33,
    name: 'numbers of events',
    async up(schema) {
      // Events that were recorded before this migration have no numbers.
      await schema.run('ALTER TABLE event ADD COLUMN shard {int64}');
      await schema.run('ALTER TABLE event ADD COLUMN number {int64}');
      await schema.run('CREATE INDEX event_by_number ON event (org_id, shard, number)');
    },
  },
];
