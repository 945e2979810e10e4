import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 115,
    name: 'networks of projects',
    async up(schema) {
      await schema.run(`
        CREATE TABLE network_container (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          provider {text} NOT NULL,
          region {text} NOT NULL,
          cidr {text} NOT NULL,
          UNIQUE (group_id, provider, region)
        ) {strict}`);
      await schema.run(`
        CREATE TABLE private_ip_mode (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          enabled {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 116,
    name: 'custom DNS of projects',
    async up(schema) {
      await schema.run(`
        CREATE TABLE aws_custom_dns (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          enabled {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 117,
    name: 'regions of networks at GCP',
    up: (schema) => schema.run('ALTER TABLE network_container ADD COLUMN regions {text}'),
  },
];
