import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { type Document, type MongoClient, MongoServerError, Timestamp } from 'mongodb';
import { StallWatch } from './stall.ts';

const at = (i: number) => new Timestamp({ t: 1, i });

function watched(error?: Error) {
  const notes: Document[] = [];
  const command = async (one: Document) => {
    notes.push(one);
    if (error) throw error;
  };
  const machine = testClock();
  const source = { db: () => ({ command }) } as unknown as MongoClient;
  return { machine, notes, watch: new StallWatch(machine, source) };
}

test('a stream that stays at its position gets a note', async () => {
  const { machine, notes, watch } = watched();
  await watch.check(at(1), true);
  machine.advance(14_000);
  await watch.check(at(1), true);
  assert.deepEqual(notes, []);
  machine.advance(1_000);
  await watch.check(at(1), true);
  await watch.check(at(1), true);
  assert.deepEqual(notes.map(Object.keys), [['appendOplogNote', 'data']]);
});

test('a stream that advances, or returns changes, gets no notes', async () => {
  const { machine, notes, watch } = watched();
  for (let i = 1; i < 10; i++) {
    await watch.check(at(i), true);
    machine.advance(20_000);
  }
  for (let i = 1; i < 10; i++) {
    await watch.check(at(9), false);
    machine.advance(20_000);
  }
  assert.deepEqual(notes, []);
});

test('a stream fails with a reason if notes are refused or without effect', async () => {
  for (const error of [undefined, new MongoServerError({ message: 'not allowed', code: 13 })]) {
    const { machine, notes, watch } = watched(error);
    const checked = async () => {
      for (let round = 0; round < 5; round++) {
        await watch.check(at(1), true);
        // Even if a server does not respond for a long time, all notes are written before the stream fails.
        machine.advance(100_000);
      }
    };
    await assert.rejects(checked, /writePeriodicNoops/);
    assert.equal(notes.length, 3);
  }
});

test('other errors of a note are thrown', async () => {
  const { machine, watch } = watched(new Error('cut off'));
  await watch.check(at(1), true);
  machine.advance(15_000);
  await assert.rejects(watch.check(at(1), true), /cut off/);
});
