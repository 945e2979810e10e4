import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Connection } from './connection.ts';
import { StorageError } from './storage-error.ts';
import { Transaction } from './transaction.ts';

let dir: string;
let connection: Connection;
let transaction: Transaction;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'transaction-'));
  connection = new Connection(join(dir, 'file.db'));
  connection.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (v BLOB)');
  connection.exec('PRAGMA max_page_count = 100');
  transaction = new Transaction(connection);
});

afterEach(() => {
  connection.close();
  rmSync(dir, { recursive: true });
});

const none = () => {};
const small = () => connection.run('INSERT INTO t VALUES (?)', Buffer.alloc(10));
/** Inserts more than the maximum size of the file. */
const large = () => connection.run('INSERT INTO t VALUES (?)', Buffer.alloc(1_000_000));
const isFull = (error: unknown) => error instanceof StorageError && error.reason === 'full';
const rows = () => connection.get<[number]>('SELECT count(*) FROM t')?.[0];

describe('a full disk', () => {
  it('undoes only the failed transaction, in the file and in memory', () => {
    let kept = 0;
    transaction.run(small, none);
    const write = () =>
      transaction.run(() => {
        kept++;
        transaction.undoing(() => kept--);
        small();
        large();
      }, none);
    assert.throws(write, isFull);
    assert.equal(kept, 0);
    assert.equal(rows(), 1);
    transaction.run(small, none);
    assert.equal(rows(), 2);
  });

  it('never commits later writes of the same transaction', () => {
    let later = 0;
    const write = () =>
      transaction.run(() => {
        assert.throws(() => transaction.savepoint(large), isFull);
        transaction.savepoint(() => {
          small();
          later++;
        });
      }, none);
    try {
      write();
    } catch {
      later = 0;
    }
    assert.equal(rows(), later);
  });
});

describe('marks', () => {
  it('differ in each transaction and savepoint, and after them', () => {
    const seen: number[] = [];
    const look = () => seen.push(transaction.mark);
    for (let i = 0; i < 2; i++) {
      transaction.run(() => {
        look();
        transaction.savepoint(look);
        look();
      }, none);
    }
    assert.equal(new Set(seen).size, seen.length);
  });
});

describe('a large write', () => {
  const part = () => connection.run('INSERT INTO t VALUES (?)', Buffer.alloc(16 << 20));
  let finished = 0;
  const finish = () => {
    finished++;
  };

  beforeEach(() => {
    connection.exec('PRAGMA max_page_count = 100000');
    finished = 0;
  });

  it('commits its parts, and reverts only what is not committed', () => {
    const undone: string[] = [];
    const write = () =>
      transaction.run(() => {
        transaction.undoing(() => undone.push('first'));
        part();
        const { mark } = transaction;
        transaction.commitPart();
        assert.notEqual(transaction.mark, mark);
        transaction.undoing(() => undone.push('second'));
        small();
        transaction.commitPart();
        throw new Error('interrupted');
      }, finish);
    assert.throws(write, /interrupted/);
    assert.deepEqual(undone, ['second']);
    assert.equal(rows(), 1);
    assert.equal(finished, 1);
  });

  it('is not divided in a savepoint, or while it must not be', () => {
    let asked = 0;
    transaction.mayDivide = (bytes) => {
      assert.ok(bytes >= 16 << 20);
      asked++;
      return false;
    };
    const write = () =>
      transaction.run(() => {
        transaction.savepoint(() => {
          part();
          transaction.commitPart();
        });
        assert.equal(asked, 0);
        transaction.commitPart();
        throw new Error('interrupted');
      }, finish);
    assert.throws(write, /interrupted/);
    assert.deepEqual([asked, rows(), finished], [1, 0, 0]);
  });
});
