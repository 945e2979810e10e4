import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 119,
    name: 'private endpoints',
    async up(schema) {
      await schema.run(`
        CREATE TABLE endpoint_service (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          provider {text} NOT NULL,
          region {text} NOT NULL,
          maps_ports {int64} NOT NULL,
          remote_regions {text}
        ) {strict}`);
      await schema.run(`
        CREATE TABLE private_endpoint (
          service_id {text} NOT NULL REFERENCES endpoint_service (id) ON DELETE CASCADE,
          name {text} NOT NULL,
          settings {text} NOT NULL,
          PRIMARY KEY (service_id, name)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE regional_mode (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          enabled {int64} NOT NULL
        ) {strict}`);
    },
  },
];
