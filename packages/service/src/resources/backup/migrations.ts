import type { Migration } from '../../store/store.ts';
import { bucketMigrations } from './buckets/migrations.ts';
import { exportMigrations } from './model/exports/migrations.ts';
import { jobMigrations } from './model/jobs/migrations.ts';
import { oplogMigrations } from './model/oplog/migrations.ts';
import { snapshotMigrations } from './model/snapshots/migrations.ts';

export const migrations: readonly Migration[] = [
  {
    number: 190,
    name: 'snapshots and restores',
    async up(schema) {
      // There is no foreign key to the cluster, since snapshots and restores outlive it.
      await schema.run(`
        CREATE TABLE backup_snapshot (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          host {text} NOT NULL,
          status {text} NOT NULL,
          snapshot_type {text} NOT NULL,
          created {int64},
          expires {int64} NOT NULL,
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX backup_snapshot_by_cluster ON backup_snapshot (cluster_id, id)');
      await schema.run(`
        CREATE TABLE backup_restore (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          target_id {text} NOT NULL,
          finished {int64},
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX backup_restore_by_cluster ON backup_restore (cluster_id, id)');
      await schema.run('CREATE INDEX backup_restore_by_target ON backup_restore (target_id, finished)');
    },
  },
  {
    number: 191,
    name: 'backup schedules',
    async up(schema) {
      // There is no foreign key to the cluster, since the schedule may be inserted before the cluster.
      await schema.run(`
        CREATE TABLE backup_schedule (
          cluster_id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          next_snapshot {int64},
          document {text} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 196,
    name: 'export buckets and jobs',
    async up(schema) {
      await schema.run(`
        CREATE TABLE backup_export_bucket (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX backup_export_bucket_by_group ON backup_export_bucket (group_id, id)');
      // There are no foreign keys to the cluster, the snapshot and the bucket, since jobs outlive them.
      await schema.run(`
        CREATE TABLE backup_export (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          snapshot_id {text} NOT NULL,
          bucket_id {text} NOT NULL,
          active {int64} NOT NULL,
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX backup_export_by_cluster ON backup_export (cluster_id, id)');
      await schema.run('CREATE INDEX backup_export_by_snapshot ON backup_export (snapshot_id, id)');
      await schema.run('CREATE INDEX backup_export_by_bucket ON backup_export (bucket_id, active)');
    },
  },
  {
    number: 194,
    name: 'copies of snapshots',
    async up(schema) {
      await schema.run(`
        CREATE TABLE backup_copy (
          snapshot_id {text} NOT NULL REFERENCES backup_snapshot (id) ON DELETE CASCADE,
          region {text} NOT NULL,
          cluster_id {text} NOT NULL,
          status {text} NOT NULL,
          PRIMARY KEY (snapshot_id, region)
        ) {strict}`);
      await schema.run('CREATE INDEX backup_copy_by_region ON backup_copy (cluster_id, region)');
      // There are no foreign keys, since rows remain until the objects are removed, longer than the snapshots, the
      // cluster and the project.
      await schema.run(`
        CREATE TABLE backup_copy_region (
          cluster_id {text} NOT NULL,
          region {text} NOT NULL,
          PRIMARY KEY (cluster_id, region)
        ) {strict}`);
    },
  },
  {
    number: 198,
    name: 'backup compliance policies',
    async up(schema) {
      await schema.run(`
        CREATE TABLE backup_compliance (
          group_id {text} PRIMARY KEY REFERENCES project (id) ON DELETE CASCADE,
          state {text} NOT NULL,
          document {text} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 199,
    name: 'deleted snapshots',
    async up(schema) {
      // Rows remain until the snapshot would have expired. They distinguish deleted snapshots from snapshots that never
      // existed.
      await schema.run(`
        CREATE TABLE backup_deleted (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          cluster_id {text} NOT NULL,
          sharded {int64} NOT NULL
        ) {strict}`);
    },
  },
  {
    number: 197,
    name: 'archived oplogs',
    async up(schema) {
      // There is no foreign key to the cluster, since the archive and the retained snapshots can outlive it.
      await schema.run(`
        CREATE TABLE backup_oplog (
          cluster_id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          host {text} NOT NULL,
          document {text} NOT NULL
        ) {strict}`);
      // Seconds and increment identify the last entry of a segment.
      await schema.run(`
        CREATE TABLE backup_oplog_segment (
          cluster_id {text} NOT NULL REFERENCES backup_oplog (cluster_id) ON DELETE CASCADE,
          span {text} NOT NULL,
          seconds {int64} NOT NULL,
          increment {int64} NOT NULL,
          document {text} NOT NULL,
          PRIMARY KEY (cluster_id, span, seconds, increment)
        ) {strict}`);
    },
  },
  {
    number: 204,
    name: 'names of deleted clusters',
    async up(schema) {
      await schema.run(`
        CREATE TABLE backup_taken_name (
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          name {text} NOT NULL,
          PRIMARY KEY (group_id, name)
        ) {strict}`);
    },
  },
  {
    number: 205,
    name: 'restores to targets',
    async up(schema) {
      await schema.run('CREATE INDEX backup_restore_to_target ON backup_restore (target_id, id)');
      await schema.run("DELETE FROM counter WHERE kind = 'restores'");
      await schema.run(`
        INSERT INTO counter (scope, kind, shard, count)
        SELECT 'cluster:' || cluster_id, 'restores', 0, count(*)
        FROM (
          SELECT cluster_id FROM backup_restore
          UNION ALL
          SELECT target_id AS cluster_id FROM backup_restore WHERE target_id NOT IN ('', cluster_id)
        ) AS job
        GROUP BY cluster_id`);
    },
  },
  {
    number: 201,
    name: 'counts of restores',
    async up(schema) {
      await schema.run(`
        INSERT INTO counter (scope, kind, shard, count)
        SELECT 'cluster:' || cluster_id, 'restores', 0, count(*) FROM backup_restore GROUP BY cluster_id`);
    },
  },
  {
    number: 203,
    name: 'copies of archived oplogs',
    async up(schema) {
      // There are no foreign keys, since rows remain until the objects are removed, longer than the cluster and the
      // project.
      await schema.run(`
        CREATE TABLE backup_oplog_copy (
          cluster_id {text} NOT NULL,
          region {text} NOT NULL,
          document {text} NOT NULL,
          PRIMARY KEY (cluster_id, region)
        ) {strict}`);
    },
  },
  ...bucketMigrations,
  ...exportMigrations,
  ...jobMigrations,
  ...snapshotMigrations,
  ...oplogMigrations,
];
