import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../bson/bson-types.ts';
import type { RawDocument } from '../bson/raw.ts';
import { textOf } from '../bson/value.ts';
import type { CommandMessage } from '../message/command-message.ts';
import type { StatementEffect } from '../storage/model/running-statement.ts';
import { type OperationKind, operationKinds } from './operation-kinds.ts';

/**
 * Maximum number of statements of one command that the profiler records, and of bytes of these statements. The last
 * statement may exceed the limit. Storing this many takes about 20 ms, and the default size of the profile is 1 MiB.
 */
const MAX_PROFILED = 1_000;
const MAX_PROFILED_BYTES = 1_048_576;

/** A statement of a profiled command. `done` describes its effect, and is empty if the effect is unknown. */
export interface ProfiledStatement {
  readonly command: PlainObject;
  readonly done: object;
  readonly micros: number | undefined;
}

/**
 * Returns the statements of an update or delete command that have run. Each is returned without the rest of the command,
 * because it gets a profiler entry of its own. Returns undefined for other commands. If the effects of the statements
 * are unknown, because the command has failed before, returns all statements.
 */
export function profiledStatements(
  { operation }: { readonly operation: OperationKind },
  { body, sequences }: CommandMessage,
  effects: readonly StatementEffect[] | undefined,
): readonly ProfiledStatement[] | undefined {
  if (operation !== 'update' && operation !== 'remove') return undefined;
  const name = operationKinds[operation].statements as string;
  const all = sequences.get(name) ?? body.documents(name) ?? [];
  const statements = all.slice(0, profiledOf(all));
  const describe = operation === 'update' ? updateOf : deleteOf;
  // The comment of the command applies to each statement.
  const comment = body.get('comment');
  const describing = (statement: RawDocument) => ({ ...describe(statement), comment });
  if (effects === undefined) {
    if (statements.length === 0) return undefined;
    return statements.map((statement) => ({ command: describing(statement), done: {}, micros: undefined }));
  }
  return effects.flatMap((effect) => {
    const statement = statements[effect.index];
    if (statement === undefined) return [];
    const done = doneBy(operation, effect, all.length === 1);
    return [{ command: describing(statement), done, micros: effect.micros }];
  });
}

/** Returns how many of the statements are profiled. */
function profiledOf(statements: readonly RawDocument[]): number {
  let [count, bytes] = [0, 0];
  for (const { length } of statements) {
    if (count === MAX_PROFILED || bytes >= MAX_PROFILED_BYTES) break;
    count++;
    bytes += length;
  }
  return count;
}

/** Returns the fields of an update, in the server's order. `multi` and `upsert` are always present. */
function updateOf(statement: RawDocument): Record<string, unknown> {
  return {
    ...picked(statement, ['q', 'u', 'c', 'arrayFilters']),
    hint: hintOf(statement),
    multi: statement.get('multi') ?? false,
    upsert: statement.get('upsert') ?? false,
    ...picked(statement, ['upsertSupplied', 'collation', 'sort']),
  };
}

function deleteOf(statement: RawDocument): Record<string, unknown> {
  return {
    ...picked(statement, ['q', 'limit']),
    hint: hintOf(statement),
    ...picked(statement, ['collation']),
  };
}

/**
 * Returns the hint of a statement as profiler entries contain it. The name of an index becomes `{ $hint: NAME }`, as in
 * servers 4.4 to 8.0. The tests of MongoEngine check this form.
 */
function hintOf(statement: RawDocument): unknown {
  const hint = statement.get('hint');
  return hint?.type === bsonTypes.string ? { $hint: textOf(hint) } : hint;
}

function picked(statement: RawDocument, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, statement.get(name)]));
}

function doneBy(
  operation: 'update' | 'remove',
  { outcome, code, planSummary, keysExamined, docsExamined, keysInserted, keysDeleted }: StatementEffect,
  isAlone: boolean,
): object {
  return {
    keysExamined,
    docsExamined,
    // A missing plan of the statement replaces that of the command, which is the plan of its first statement.
    planSummary,
    keysInserted: keysInserted || undefined,
    keysDeleted: keysDeleted || undefined,
    ...(isAlone ? {} : ofFirstStatement),
    ...(code === 0 ? {} : { ok: 0, errCode: code }),
    ...(outcome === undefined ? {} : { ...succeeded, ...resultOf(operation, outcome) }),
  };
}

/** Removes the error of the command, if a later statement has failed. */
const succeeded = { ok: undefined, errCode: undefined };

/** Facts of a command that do not concern each of its statements. */
const ofFirstStatement = {
  queryHash: undefined,
  planCacheShapeHash: undefined,
  planCacheKey: undefined,
  queryShapeHash: undefined,
};

function resultOf(operation: 'update' | 'remove', outcome: NonNullable<StatementEffect['outcome']>): object {
  const { n, modified, upserted } = outcome;
  return operation === 'remove' ? { ndeleted: n } : { nMatched: n, nModified: modified, nUpserted: upserted };
}
