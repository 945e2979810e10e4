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
