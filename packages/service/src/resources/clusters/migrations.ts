import type { Migration } from '../../store/store.ts';
import { projectMark } from './model/names.ts';

interface MarkedRow {
  id: string;
  group_id: string;
  project_mark: string;
}

export const migrations: readonly Migration[] = [
  {
    number: 140,
    name: 'clusters',
    async up(schema) {
      // The rows of clusters are not deleted together with their project, because clusters also have files and
      // processes. A project with clusters cannot be deleted.
      await schema.run(`
        CREATE TABLE cluster (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id),
          name {text} NOT NULL,
          name_prefix {text} NOT NULL,
          state {text} NOT NULL,
          created {int64} NOT NULL,
          paused {int64} NOT NULL,
          resumed {int64},
          generation {int64} NOT NULL,
          spec {text} NOT NULL,
          placement {text} NOT NULL,
          access_revision {int64} NOT NULL,
          host {text} NOT NULL REFERENCES engine_host (id),
          UNIQUE (group_id, name),
          UNIQUE (group_id, name_prefix)
        ) {strict}`);
      await schema.run('CREATE INDEX cluster_by_group ON cluster (group_id, id)');
    },
  },
  {
    number: 141,
    name: 'kinds of clusters',
    async up(schema) {
      await schema.run("ALTER TABLE cluster ADD COLUMN kind {text} NOT NULL DEFAULT 'cluster'");
      await schema.run("ALTER TABLE cluster ADD COLUMN shape {text} NOT NULL DEFAULT 'contract'");
      await schema.run(`
        INSERT INTO counter (scope, kind, shard, count)
        SELECT scope, 'clusters:cluster:contract', shard, count FROM counter WHERE kind = 'clusters'`);
    },
  },
  {
    number: 142,
    name: 'counts of free clusters',
    async up(schema) {
      await schema.run(`
        INSERT INTO counter (scope, kind, shard, count)
        SELECT 'group:' || group_id, 'freeClusters', 0, count(*) FROM cluster
        WHERE spec LIKE '%"instanceSize":"M0"%' GROUP BY group_id`);
    },
  },
  {
    number: 143,
    name: 'sample data loads',
    async up(schema) {
      await schema.run(`
        CREATE TABLE sample_dataset_load (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_name {text} NOT NULL,
          state {text} NOT NULL,
          created {int64} NOT NULL,
          completed {int64},
          message {text}
        ) {strict}`);
    },
  },
  {
    number: 200,
    name: 'deleted clusters with retained backups',
    async up(schema) {
      // This table has the same columns as `cluster`, in the same order, because lists select the union of both tables.
      await schema.run(`
        CREATE TABLE retained_cluster (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          name {text} NOT NULL,
          name_prefix {text} NOT NULL,
          state {text} NOT NULL,
          created {int64} NOT NULL,
          paused {int64} NOT NULL,
          resumed {int64},
          generation {int64} NOT NULL,
          spec {text} NOT NULL,
          placement {text} NOT NULL,
          access_revision {int64} NOT NULL,
          host {text} NOT NULL,
          kind {text} NOT NULL,
          shape {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX retained_cluster_by_group ON retained_cluster (group_id, id)');
    },
  },
  {
    number: 202,
    name: 'index of clusters by host name',
    async up(schema) {
      await schema.run('CREATE INDEX cluster_by_prefix ON cluster (name_prefix)');
    },
  },
  {
    number: 213,
    name: 'marks of projects in host names',
    async up(schema) {
      for (const table of ['cluster', 'retained_cluster'] as const) {
        await schema.run(`ALTER TABLE ${table} ADD COLUMN project_mark {text} NOT NULL DEFAULT ''`);
        for await (const { id, group_id } of schema.rows<MarkedRow>(table, 'id')) {
          const changed = { project_mark: projectMark(group_id) };
          const update = schema.from<Record<typeof table, MarkedRow>>().updateTable(table);
          await update.set(changed).where('id', '=', id).execute();
        }
      }
      await schema.run('DROP INDEX cluster_by_prefix');
      await schema.run('CREATE INDEX cluster_by_host_name ON cluster (name_prefix, project_mark)');
    },
  },
];
