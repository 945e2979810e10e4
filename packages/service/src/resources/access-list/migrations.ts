import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 120,
    name: 'project access lists',
    async up(schema) {
      await schema.run(`
        CREATE TABLE network_permission (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cidr {text} NOT NULL,
          address {text},
          comment {text} NOT NULL,
          delete_after {int64},
          UNIQUE (group_id, cidr)
        ) {strict}`);
      await schema.run('CREATE INDEX network_permission_by_group ON network_permission (group_id, id)');
    },
  },
];
