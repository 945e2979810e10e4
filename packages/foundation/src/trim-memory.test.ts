import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnMemory } from './trim-memory.ts';

const MB = 1024 * 1024;
const BLOCK_BYTES = 5_000;

/** Fills 150 MB with small blocks, and keeps one of a hundred. */
function scattered(): Uint8Array[] {
  const all = Array.from({ length: 30_000 }, () => new Uint8Array(BLOCK_BYTES).fill(1));
  return all.filter((_, i) => i % 100 === 0);
}

function usesGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}

test('free blocks between used blocks are returned to the system', () => {
  const kept = scattered();
  const before = process.memoryUsage.rss();
  returnMemory();
  const returned = before - process.memoryUsage.rss();
  assert.equal(kept.length, 300);
  assert.ok(kept.every((block) => block.length === BLOCK_BYTES && block.every((byte) => byte === 1)));
  if (usesGlibc()) assert.ok(returned > 50 * MB, `${Math.round(returned / MB)} MB`);
});
