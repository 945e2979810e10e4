import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { FILE_NAME, openFile } from './format.ts';
import { Snapshots } from './snapshots.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

const limits = { checkpointed: 40, rest: 10, full: 200, held: 600 };
const PAGE_BYTES = 8_192;
const keys = { plain: undefined, encrypted: Buffer.alloc(32, 7) };

/** A file whose checkpoints run when the test says so, as another thread would run them. */
class Logged {
  readonly dir = mkdtempSync(join(tmpdir(), 'write-ahead-log-'));
  readonly connection: Connection;
  readonly snapshots: Snapshots;
  readonly log: WriteAheadLog;
  readonly #requests: Array<() => void> = [];

  constructor(t: TestContext, key: Uint8Array | undefined) {
    this.connection = openFile(this.dir, { key, unsynced: true });
    this.snapshots = new Snapshots(this.connection);
    this.connection.exec('CREATE TABLE t (doc BLOB)');
    const log = WriteAheadLog.of(this.connection, (_, ended) => void this.#requests.push(ended), limits);
    assert.ok(log, 'SQLite counts the pages of the log');
    this.log = log;
    this.#checkpoint();
    t.after(() => {
      this.snapshots.close();
      this.connection.close();
      rmSync(this.dir, { recursive: true });
    });
  }

  /** Number of checkpoints that the other thread should run. */
  get requests(): number {
    return this.#requests.length;
  }

  /** Commits one transaction that writes about this many pages. */
  write(pages: number): void {
    this.connection.exec('BEGIN IMMEDIATE');
    this.connection.run('INSERT INTO t VALUES (?)', Buffer.alloc((pages - 3) * PAGE_BYTES, 1));
    this.connection.exec('COMMIT');
    this.log.committed();
  }

  #checkpoint(): void {
    const other = new Connection(join(this.dir, FILE_NAME), { key: this.connection.key });
    other.get('PRAGMA wal_checkpoint(PASSIVE)');
    other.close();
  }

  /** Runs the oldest requested checkpoint. `meanwhile` runs before the log learns that the checkpoint has ended. */
  async run(meanwhile = () => {}): Promise<void> {
    const end = this.#requests.shift();
    assert.ok(end, 'a checkpoint is requested');
    this.#checkpoint();
    meanwhile();
    end();
    await setImmediate();
  }

  /** The pages of the log that are not checkpointed. */
  get rest(): number {
    const [, pages = 0, copied = 0] = this.connection.get<number[]>('PRAGMA wal_checkpoint(NOOP)') ?? [];
    return pages - copied;
  }

  get logPages(): number {
    return statSync(join(this.dir, `${FILE_NAME}-wal`)).size / PAGE_BYTES;
  }
}

for (const [title, key] of Object.entries(keys))
  describe(`the write-ahead log of a file (${title})`, () => {
    it('is not checkpointed by the commit of a large transaction, but by another thread', async (t) => {
      const file = new Logged(t, key);
      file.write(3_000);
      assert.ok(file.rest >= 3_000, `${file.rest}`);
      assert.equal(file.requests, 1);
      await file.run();
      assert.equal(file.rest, 0);
      assert.equal(file.requests, 0);
    });

    it('starts again after the commit of a short rest, although it is written all the time', async (t) => {
      const file = new Logged(t, key);
      for (let round = 0; round < 20; round++) {
        while (file.requests === 0) file.write(6);
        await file.run(() => file.write(6));
      }
      assert.ok(file.logPages < 3 * limits.checkpointed, `${file.logPages}`);
    });

    it('makes writes wait while it is full, until another thread has caught up', async (t) => {
      const file = new Logged(t, key);
      let rooms = 0;
      file.log.onRoom = () => rooms++;
      file.write(50);
      for (let written = 0; written < 200; written += 50) file.write(50);
      assert.equal(file.log.isFull, true);
      // The snapshot limits the checkpoint to the pages that are in the log now, as if the checkpoint started now.
      const snapshot = file.snapshots.take();
      file.write(50);
      await file.run();
      snapshot.release();
      assert.equal(file.log.isFull, true);
      assert.equal(rooms, 0);
      await file.run();
      assert.equal(file.log.isFull, false);
      assert.equal(rooms, 1);
      file.write(6);
      assert.ok(file.rest < 50, 'the log starts again');
    });

    it('does not make writes wait for a reader of an old snapshot, and is checkpointed after it', async (t) => {
      const file = new Logged(t, key);
      const snapshot = file.snapshots.take();
      file.write(300);
      assert.equal(file.log.isFull, true);
      await file.run();
      assert.equal(file.log.isFull, false);
      assert.equal(file.requests, 0);
      snapshot.release();
      file.write(6);
      await file.run();
      assert.equal(file.rest, 0);
    });

    it('ends readers of old snapshots when they hold a long log', async (t) => {
      const file = new Logged(t, key);
      const snapshot = file.snapshots.take();
      let ended = 0;
      file.log.onHeld = () => {
        ended++;
        snapshot.release();
      };
      for (let written = 0; written < 550; written += 50) {
        file.write(50);
        if (file.requests > 0) await file.run();
      }
      assert.equal(ended, 0);
      for (let written = 0; written < 150; written += 50) {
        file.write(50);
        if (file.requests > 0) await file.run();
      }
      assert.equal(ended, 1);
      assert.equal(file.rest, 0);
      file.write(6);
      assert.ok(file.rest < 50, 'the log starts again');
    });

    it('is checkpointed by another thread before the file closes, unless it is short', async (t) => {
      const file = new Logged(t, key);
      file.write(6);
      assert.equal(file.log.drain(), undefined);
      file.write(30);
      const drained = file.log.drain();
      assert.equal(file.requests, 1);
      await file.run();
      await drained;
      assert.equal(file.rest, 0);
    });

    it('is checkpointed completely before the file shrinks', async (t) => {
      const file = new Logged(t, key);
      file.write(20);
      file.log.finish();
      assert.equal(file.requests, 1);
      await file.run(() => file.write(6));
      assert.equal(file.rest, 0);
    });

    it('does not make writes wait when the file closes', (t) => {
      const file = new Logged(t, key);
      file.write(300);
      file.log.close();
      assert.equal(file.log.isFull, false);
    });
  });
