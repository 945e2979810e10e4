import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capabilities, type EngineKind, engineKinds, lackOf } from './capabilities.ts';

const names = Object.keys(capabilities) as (keyof typeof capabilities)[];

test('the embedded engine has every capability', () => {
  assert.deepEqual(
    names.filter((name) => lackOf(engineKinds.embedded, name, []) !== undefined),
    [],
  );
});

test('a capability may be missing, or need a property of the servers', () => {
  const kind: EngineKind = {
    summary: 'for this test',
    traits: [],
    abilities: {
      ...engineKinds.embedded.abilities,
      pause: { reason: 'others run it' },
      failover: { needs: 'stepDown', reason: 'there is one server' },
    },
  };
  assert.equal(lackOf(kind, 'pause', ['stepDown']), 'others run it');
  assert.equal(lackOf(kind, 'failover', ['log']), 'there is one server');
  assert.equal(lackOf(kind, 'failover', ['log', 'stepDown']), undefined);
});
