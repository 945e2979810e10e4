import assert from 'node:assert/strict';
import { platform, tmpdir } from 'node:os';
import { test } from 'node:test';
import { machineFigures, processMemory } from './machine-figures.ts';

test('reports the figures of the machine that its system provides', () => {
  const { processors, processor, memory, swap, network } = machineFigures(tmpdir());
  assert.ok(processors !== undefined && processors >= 1);
  assert.ok(memory !== null);
  assert.ok(memory.available > 0 && memory.available <= memory.total);
  const linux = platform() === 'linux';
  assert.deepEqual([processor !== null, swap !== null, network !== null], [linux, linux, linux]);
  if (processor !== null) assert.ok(processor.user > 0 && processor.idle > 0);
  const { resident, virtual } = processMemory();
  assert.ok(resident > 0 && virtual >= resident);
});

test('reports null for unknown figures', () => {
  assert.equal(machineFigures('/nowhere').disk, null);
});
