import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EngineOptions, startEngine } from '@portolan/engine/library/index';
import { type StartOptions, start } from './service.ts';

test('unknown options and options of the wrong type are rejected by name before anything starts', async () => {
  const engines: readonly [options: unknown, name: string, message: string][] = [
    [
      { prot: 1 },
      'TypeError',
      'startEngine has no option prot; its options are members, port, replicaSet, version, folder, auth',
    ],
    [null, 'TypeError', 'the options of startEngine must be an object'],
    [{ members: 1.5 }, 'RangeError', 'members must be from 1 to 50; it was 1.5'],
    [{ port: Number.NaN }, 'RangeError', 'port must be an integer up to 65535, or 0 for any; it was NaN'],
    [
      { port: 65_534, members: 3 },
      'RangeError',
      'port must be an integer up to 65533, or 0 for any; it was 65534',
    ],
    [{ replicaSet: 7 }, 'TypeError', 'replicaSet must be a string; it was 7'],
    [{ auth: { username: 'root' } }, 'TypeError', 'auth requires a username and a password'],
  ];
  for (const [options, name, message] of engines)
    await assert.rejects(startEngine(options as EngineOptions), { name, message });
  const services: readonly [options: unknown, name: string, message: string][] = [
    [{ sed: {} }, 'TypeError', 'start has no option sed; its options are seed, port, tls, settings'],
    [{ port: '8080' }, 'RangeError', 'port must be an integer up to 65535, or 0 for any; it was "8080"'],
    [{ tls: 'yes' }, 'TypeError', 'tls must be a boolean; it was "yes"'],
    [{ seed: null }, 'TypeError', 'seed must be a string or an object; it was null'],
  ];
  for (const [options, name, message] of services)
    await assert.rejects(start(options as StartOptions), { name, message });
});
