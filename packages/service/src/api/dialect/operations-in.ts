import type { TSchema } from 'typebox';
import type { AnyOperation, ShapeChange, VersionShape } from '../operation.ts';
import { asJsonSchema } from '../schema/json-schema.ts';
import { versionsOf } from '../shapes.ts';
import { NEWEST_VERSION, type ReleaseDate } from '../versions.ts';
import type { DialectChanges, OperationChange } from './dialect.ts';
import { entityChange } from './entities.ts';
import { omittedFrom, withoutDefaults } from './omitted-lists.ts';
import { schemaWriter } from './schema-in.ts';
import { type Translator, translator } from './translate.ts';
import { pathIn } from './words.ts';

type AnyShape = VersionShape<unknown, unknown>;

/**
 * Returns the operations as a dialect serves them. Routes, validation, documents and links derive from these
 * operations. Handlers still receive and return the declared shape.
 */
export function operationsIn(
  changes: DialectChanges | undefined,
  operations: readonly AnyOperation[],
): readonly AnyOperation[] {
  if (changes === undefined) return operations;
  const write = schemaWriter(changes);
  return operations
    .filter(({ surface, isNeutralOnly }) => surface !== 'operator' && isNeutralOnly !== true)
    .map((operation) => operationIn(operation, changes, write));
}

function operationIn(
  operation: AnyOperation,
  changes: DialectChanges,
  write: (schema: TSchema) => TSchema,
): AnyOperation {
  const own = changes.operations[operation.id] ?? {};
  // Versions with the same declared shape must get the same translated shape. A version counts as deprecated if its
  // shape differs from the shape of the newest version.
  const made = new Map<AnyShape, AnyShape>();
  const shapeOf = (date: ReleaseDate): AnyShape => {
    const declared = operation.versions?.[own.versions === 'contract' ? NEWEST_VERSION : date] ?? 'same';
    const known = made.get(declared) ?? shapeIn(operation, declared, { changes, own, write });
    made.set(declared, known);
    return known;
  };
  const versions = Object.fromEntries(datesOf(operation, own).map((date) => [date, shapeOf(date)]));
  return { ...operation, path: pathIn(operation.path, changes.words), versions };
}

/** A dialect lacks the newest version of an operation, unless the operation has no other version. */
function datesOf(operation: AnyOperation, { versions }: OperationChange): readonly ReleaseDate[] {
  const dates = versionsOf(operation);
  if (versions === 'all') return dates;
  const older = dates.filter((date) => date !== NEWEST_VERSION);
  return older.length === 0 ? dates : older;
}

interface ShapeContext {
  readonly changes: DialectChanges;
  readonly own: OperationChange;
  readonly write: (schema: TSchema) => TSchema;
}

function shapeIn(operation: AnyOperation, declared: AnyShape, context: ShapeContext): AnyShape {
  if (declared === 'unavailable') return declared;
  const { own, write } = context;
  const change: ShapeChange = declared === 'same' ? {} : declared;
  const body: TSchema | undefined = change.body ?? operation.body;
  const reply: TSchema | undefined = change.reply ?? operation.reply;
  return {
    ...change,
    ...(own.status !== undefined && { status: own.status }),
    ...(body && { body: withOptional(write(body), own), read: reader(body, change, context) }),
    ...(reply && {
      reply: withoutDefaults(write(reply), own.omitsEmpty),
      write: writer(reply, change, context),
    }),
  };
}

function withOptional(body: TSchema, { optional }: OperationChange): TSchema {
  if (optional === undefined) return body;
  const { required = [] } = asJsonSchema(body);
  return { ...body, required: required.filter((name) => !optional.includes(name)) } as TSchema;
}

function reader(body: TSchema, change: ShapeChange, { changes, own, write }: ShapeContext): Translator {
  const read = change.read as Translator | undefined;
  return chained(
    own.prepare,
    lazily(() => translator({ declared: body, own: write(body) }, changes, 'in')),
    read,
  );
}

function writer(reply: TSchema, change: ShapeChange, { changes, own, write }: ShapeContext): Translator {
  return chained(
    change.write as Translator | undefined,
    lazily(() => translator({ declared: reply, own: write(reply) }, changes, 'out')),
    entityChange(changes, reply)?.present as Translator | undefined,
    own.omitsEmpty && omittedFrom(own.omitsEmpty),
  );
}

/** Most operations of a table are never called, so translations are compiled on first use. */
function lazily(make: () => Translator | undefined): Translator {
  let made: Translator | undefined;
  return (value) => {
    made ??= make() ?? asItIs;
    return made(value);
  };
}

const asItIs: Translator = (value) => value;

function chained(...translators: ReadonlyArray<Translator | undefined>): Translator {
  const steps = translators.filter((one) => one !== undefined);
  return (value) => steps.reduce((changed, step) => step(changed), value);
}
