import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Service } from './service.ts';

/** The backup files of a service with one instance, for comparison with the rows of its database. */
export class BackupFiles {
  readonly #directory: string;

  constructor({ dataDirectory }: Pick<Service, 'dataDirectory'>) {
    this.#directory = dataDirectory;
  }

  /** Returns the pending backup tasks, except those that wait for a date. */
  tasks(): string[] {
    const rows = this.#rows(
      "SELECT kind || ' ' || step || ' ' || coalesce(error, '') AS told FROM task WHERE kind LIKE 'backup.%' AND failed = 0 AND run_at <= made",
    );
    return rows.map(({ told }) => String(told));
  }

  /** Returns the number of oplog segments. */
  segments(): number {
    return this.#rows('SELECT document FROM backup_oplog_segment').length;
  }

  /** Fails if there is a file to which no row refers, or if a row refers to a file that is missing. */
  expectNoneLost(): void {
    for (const clusterId of this.#names('snapshots').filter((name) => /^[0-9a-f]{24}$/.test(name))) {
      const names = (part: string) => this.#names('snapshots', clusterId, part).toSorted();
      const own = (table: string) => `FROM ${table} WHERE cluster_id = '${clusterId}'`;
      const snapshots = this.#rows(`SELECT id ${own('backup_snapshot')} AND status = 'completed'`);
      const manifests = snapshots.map(({ id }) => `${id}.json`).toSorted();
      assert.deepEqual(names('snapshots'), manifests, 'manifests are those of snapshots');
      const held = manifests.flatMap((name) => {
        const path = join(this.#directory, 'snapshots', clusterId, 'snapshots', name);
        const manifest = JSON.parse(readFileSync(path, 'utf8')) as { chunks: { hash: string }[] };
        return manifest.chunks.map(({ hash }) => hash);
      });
      assert.deepEqual(names('chunks'), [...new Set(held)].sort(), 'chunks are those of manifests');
      const segments = this.#rows(`SELECT document ${own('backup_oplog_segment')}`).map(({ document }) => {
        const { after, hash } = JSON.parse(String(document));
        return `${after.seconds}.${after.increment}-${hash}`;
      });
      // Remove duplicates, since overlapping spans share segments.
      assert.deepEqual(names('oplog'), [...new Set(segments)].sort(), 'segments are those of rows');
      const open = this.#rows(`SELECT id ${own('backup_download')} AND finished IS NULL`).map(({ id }) => id);
      const kept = names('downloads').filter((id) => names(join('downloads', id)).length > 0);
      assert.deepEqual(
        kept.filter((id) => !open.includes(id)),
        [],
        'archives are those of downloads',
      );
    }
    assert.deepEqual(this.#names('temporary'), [], 'temporary files of the service');
    for (const id of this.#names('engine', 'clusters'))
      assert.deepEqual(
        this.#names('engine', 'clusters', id, 'temporary'),
        [],
        'temporary files of a cluster',
      );
  }

  #names(...parts: string[]): string[] {
    const folder = join(this.#directory, ...parts);
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  #rows(sql: string): Record<string, unknown>[] {
    const database = new DatabaseSync(join(this.#directory, 'portolan.sqlite'), { readOnly: true });
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
}
