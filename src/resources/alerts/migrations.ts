import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 300,
    name: 'alert configurations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE alert_configuration (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          created {int64} NOT NULL,
          updated {int64} NOT NULL,
          enabled {int64} NOT NULL,
          event_type {text} NOT NULL,
          document {text} NOT NULL,
          secrets {bytes}
        ) {strict}`);
      await schema.run('CREATE INDEX alert_configuration_by_group ON alert_configuration (group_id, id)');
    },
  },
];
