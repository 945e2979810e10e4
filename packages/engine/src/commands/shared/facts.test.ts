import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountChanges } from '../accounts/changes.ts';
import type { CommandFacts } from '../context/facts.ts';
import { commandTable } from '../index.ts';
import { command } from './define.ts';
import { managingAccounts, reading, sharding, withoutData, writing } from './presets.ts';

const shown = { name: 'shown', privileges: () => [], fields: {}, run: () => ({}) } as const;

/** `npm run check` fails if a line after `@ts-expect-error` compiles. */
describe('A command', () => {
  it('does not compile without facts', () => {
    // @ts-expect-error: only the privileges are declared.
    command(shown);
  });

  it('does not compile without one of them', () => {
    const { transaction: _, ...preset } = reading;
    // @ts-expect-error: the transaction role is missing.
    command({ ...shown, ...preset });
    const { readConcern: __, ...other } = withoutData;
    // @ts-expect-error: the read concern support is missing.
    command({ ...shown, ...other });
  });

  it('does not compile without privileges', () => {
    const { privileges: _, ...rest } = shown;
    // @ts-expect-error: the privileges are missing.
    command({ ...rest, ...reading });
  });

  it('that writes does not compile without an audit declaration', () => {
    // @ts-expect-error: the presets for writing commands have no audit declaration.
    for (const preset of [writing, sharding, managingAccounts]) command({ ...shown, ...preset });
  });

  it('combines a preset with its own declarations', () => {
    const { audit, data } = command({ ...shown, ...writing, audit: 'none' });
    assert.deepEqual({ audit, data }, { audit: 'none', data: 'write' });
  });
});

const all: readonly CommandFacts[] = [...new Set(commandTable.values())];

describe('The table of commands', () => {
  it('has each name once', () => {
    const names = all.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    assert.deepEqual(names.toSorted(), [...commandTable.keys()].toSorted());
  });

  it('has write access and retries only within the write transaction', () => {
    const wrong = all.filter(({ data, retryable, inOplog }) => data !== 'write' && (retryable || inOplog));
    assert.deepEqual(wrong, []);
  });

  it('includes the account changes that a managed cluster rejects', () => {
    const changes = all.filter(({ data, secrets }) => data === 'write' && secrets.length > 0);
    assert.deepEqual(changes.map(({ name }) => name).toSorted(), [...accountChanges].toSorted());
  });
});
