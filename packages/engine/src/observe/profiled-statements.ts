import type { PlainObject } from '@portolan/foundation/plain-object';
import { bsonTypes } from '../bson/bson-types.ts';
import type { RawDocument } from '../bson/raw.ts';
import { textOf } from '../bson/value.ts';
import type { CommandMessage } from '../message/command-message.ts';
import type { Reply } from '../message/reply.ts';
import { type OperationKind, operationKinds } from './operation-kinds.ts';

/** A statement of a profiled command. `done` describes its effect, and is empty if the effect is unknown. */
export interface ProfiledStatement {
  readonly command: PlainObject;
  readonly done: object;
}

/**
 * Returns the statements of an update or delete command. Each statement is returned without the rest of the command,
 * because it gets a profiler entry of its own. Returns no statements for other commands. The effect of a statement is
 * known only if it is the only statement of the command.
 */
export function profiledStatements(
  { operation }: { readonly operation: OperationKind },
  { body, sequences }: CommandMessage,
  reply: Reply | undefined,
): readonly ProfiledStatement[] {
  if (operation !== 'update' && operation !== 'remove') return [];
  const name = operationKinds[operation].statements as string;
  const statements = sequences.get(name) ?? body.documents(name) ?? [];
  const describe = operation === 'update' ? updateOf : deleteOf;
  const done = statements.length === 1 && reply !== undefined ? doneBy(operation, reply) : {};
  // The comment of the command applies to each statement.
  const comment = body.get('comment');
  return statements.map((statement) => ({ command: { ...describe(statement), comment }, done }));
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

function doneBy(operation: 'update' | 'remove', { n, nModified, upserted }: Reply): object {
  if (operation === 'remove') return { ndeleted: n };
  const nUpserted = Array.isArray(upserted) ? upserted.length : 0;
  return { nMatched: Number(n) - nUpserted, nModified, nUpserted };
}
