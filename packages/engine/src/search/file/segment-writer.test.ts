import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSearchFile } from './search-file.ts';
import { SegmentBuilder } from './segment-builder.ts';
import { deleteRemoved, removeGeneration, writeSegment } from './segment-writer.ts';

/** The number of fields. Their names are stored as terms. */
const FIELDS = 5;

test('the terms of removed segments are deleted with pauses, and those of others stay', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'segments-'));
  const file = openSearchFile(dir, undefined);
  t.after(() => {
    file.close();
    rmSync(dir, { recursive: true });
  });
  const terms = 9_000;
  for (const generation of [1, 2, 3]) {
    const builder = new SegmentBuilder();
    const doc = builder.begin(new Uint8Array([generation]));
    for (let at = 0; at < terms; at++) builder.addTerm(`f${at % FIELDS}`, `t${at}`, doc);
    assert.ok([...writeSegment(file, generation, builder, [])].length > 3);
  }
  const count = (table: string) => file.get<[number]>(`SELECT count(*) FROM ${table}`)?.[0] ?? 0;
  const parts = count('parts');
  for (const generation of [1, 3]) removeGeneration(file, generation);
  assert.ok([...deleteRemoved(file)].length > 6);
  assert.deepEqual([count('terms'), count('parts'), count('segments')], [terms + FIELDS, parts / 3, 1]);
  assert.deepEqual([...deleteRemoved(file)], []);
});

test('other work can run while long terms and long names of fields are written and deleted', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'segments-'));
  const file = openSearchFile(dir, undefined);
  t.after(() => {
    file.close();
    rmSync(dir, { recursive: true });
  });
  const pausesOf = (add: (builder: SegmentBuilder, doc: number) => void) => {
    const builder = new SegmentBuilder();
    add(builder, builder.begin(new Uint8Array([1])));
    const written = [...writeSegment(file, 1, builder, [])].length;
    removeGeneration(file, 1);
    return { written, deleted: [...deleteRemoved(file)].length };
  };
  const long = (length: number, at: number) => `${at}${'x'.repeat(length)}`;
  const terms = pausesOf((builder, doc) => {
    for (let at = 0; at < 500; at++) builder.addTerm('f', long(30_000, at), doc);
  });
  assert.ok(terms.written >= 5 && terms.deleted >= 5, JSON.stringify(terms));
  const names = pausesOf((builder, doc) => {
    for (let at = 0; at < 1_000; at++) builder.addTerm(long(8_000, at), 'word', doc);
  });
  assert.ok(names.written >= 3 && names.deleted >= 10, JSON.stringify(names));
});
