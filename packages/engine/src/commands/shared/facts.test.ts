import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accountChanges } from '../accounts/changes.ts';
import type { CommandFacts } from '../context/facts.ts';
import { commandTable } from '../index.ts';
import { command } from './define.ts';
import { managingAccounts, reading, sharding, withoutData, writing } from './presets.ts';

const shown = { name: 'shown', privileges: () => [], fields: {}, run: () => ({}) } as const;

/** `npm run check` fails where one of the lines below a directive compiles. */
describe('A command', () => {
  it('does not compile without facts', () => {
    // @ts-expect-error: nothing is said but who may run it.
    command(shown);
  });

  it('does not compile without one of them', () => {
    const { transaction: _, ...preset } = reading;
    // @ts-expect-error: whether it may be part of a transaction is not said.
    command({ ...shown, ...preset });
    const { readConcern: __, ...other } = withoutData;
    // @ts-expect-error: which read concern it takes is not said.
    command({ ...shown, ...other });
  });

  it('does not compile without privileges', () => {
    const { privileges: _, ...rest } = shown;
    // @ts-expect-error: who may run it is not said.
    command({ ...rest, ...reading });
  });

  it('that writes does not compile without what the audit stream tells', () => {
    // @ts-expect-error: each preset of those that write leaves it open.
    for (const preset of [writing, sharding, managingAccounts]) command({ ...shown, ...preset });
  });

  it('takes what a preset has, and what it says itself', () => {
    const { audit, data } = command({ ...shown, ...writing, audit: 'nothing' });
    assert.deepEqual({ audit, data }, { audit: 'nothing', data: 'write' });
  });
});

const all: readonly CommandFacts[] = [...new Set(commandTable.values())];

describe('The table of commands', () => {
  it('has each name once', () => {
    const names = all.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    assert.deepEqual(names.toSorted(), [...commandTable.keys()].toSorted());
  });

  it('lets nothing be written outside of the write transaction, or be sent again', () => {
    const wrong = all.filter(({ data, retryable, inOplog }) => data !== 'write' && (retryable || inOplog));
    assert.deepEqual(wrong, []);
  });

  it('names the changes of users and roles that a managed cluster refuses', () => {
    const changes = all.filter(({ data, secrets }) => data === 'write' && secrets.length > 0);
    assert.deepEqual(changes.map(({ name }) => name).toSorted(), [...accountChanges].toSorted());
  });
});
