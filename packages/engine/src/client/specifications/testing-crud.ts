import assert from 'node:assert/strict';
import type { Collection, Document } from 'mongodb';
import { type Case, fails, type Item, type World } from './testing.ts';

/** An operation, its result, and the documents after it. */
export interface Row {
  readonly name: string;
  readonly given?: readonly Item[];
  readonly indexes?: ReadonlyArray<Readonly<Record<string, 1 | -1>>>;
  run(items: Collection<Item>, world: World): Promise<unknown>;
  /** The expected result. If the driver returns an object, only the expected fields are compared. */
  readonly result?: unknown;
  /** The expected error code. */
  readonly code?: number;
  readonly stored?: readonly Document[];
  /** The expected fields of the commands that the driver sends, by command name. */
  readonly sent?: Readonly<Record<string, Document>>;
}

/** Items with the given ids, in which `x` is eleven times `_id`. */
export const ofEleven = (...ids: number[]): Item[] => ids.map((_id) => ({ _id, x: _id * 11 }));

export function casesOf(rows: readonly Row[]): Case[] {
  return rows.map(
    (row): Case => ({
      name: row.name,
      ...(row.given ? { given: row.given } : {}),
      run: (world) => check(row, world),
    }),
  );
}

async function check({ run, code, result, stored, sent, indexes = [] }: Row, world: World): Promise<void> {
  for (const index of indexes) await world.items.createIndex(index);
  world.events.length = 0;
  const outcome = run(world.items, world);
  if (code !== undefined) await fails(outcome, { code });
  else {
    const answer = await outcome;
    if (result !== undefined) holds(answer, result);
  }
  for (const [name, fields] of Object.entries(sent ?? {})) holds(world.sent(name)[0], fields);
  if (stored !== undefined) assert.deepEqual(await world.stored(), stored);
}

/** Asserts equality, except that actual objects may have additional fields. */
function holds(actual: unknown, expected: unknown): void {
  if (!isPlain(expected) || !isObject(actual)) {
    assert.deepEqual(actual, expected);
    return;
  }
  for (const [name, value] of Object.entries(expected)) holds(actual[name], value);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
