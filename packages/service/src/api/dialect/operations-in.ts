import { Fault } from '@portolan/foundation/faults';
import type { TSchema } from 'typebox';
import type { AnyOperation, ShapeChange, VersionShape } from '../operation.ts';
import { asJsonSchema, isPlainObject } from '../schema/json-schema.ts';
import { versionsOf } from '../shapes.ts';
import { NEWEST_VERSION, type ReleaseDate } from '../versions.ts';
import type { DialectChanges, OperationChange } from './dialect.ts';
import { entityChange } from './entities.ts';
import { omittedFrom, withoutDefaults, withoutFields } from './omitted-fields.ts';
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
  const find = (id: string) => operations.find((operation) => operation.id === id);
  const replyOf = (id: string) => find(id)?.reply;
  const handlerOf = (id: string) => find(id)?.handler;
  return operations
    .filter(({ surface, isNeutralOnly }) => surface !== 'operator' && isNeutralOnly !== true)
    .map((operation) => operationIn(operation, changes, { write, replyOf, handlerOf }));
}

/** What is needed to write shapes in the words of a dialect. */
interface Writing {
  readonly write: (schema: TSchema) => TSchema;
  /** Returns the schema of the reply of an operation. */
  readonly replyOf: (id: string) => TSchema | undefined;
  readonly handlerOf: (id: string) => AnyOperation['handler'] | undefined;
}

function operationIn(operation: AnyOperation, changes: DialectChanges, writing: Writing): AnyOperation {
  const own = changes.operations[operation.id] ?? {};
  // Versions with the same declared shape must get the same translated shape. A version counts as deprecated if its
  // shape differs from the shape of the newest version.
  const made = new Map<AnyShape, AnyShape>();
  const shapeOf = (date: ReleaseDate): AnyShape => {
    const [first = date] = versionsOf(operation);
    const shown = own.versions === 'contract' ? NEWEST_VERSION : date;
    const declared = operation.versions?.[shown] ?? operation.versions?.[first] ?? 'same';
    const known = made.get(declared) ?? shapeIn(operation, declared, { changes, own, ...writing });
    made.set(declared, known);
    return known;
  };
  const dates = datesOf(operation, own);
  const versions = Object.fromEntries(dates.map((date) => [date, shapeOf(date)]));
  const { support } = changes;
  return {
    ...operation,
    ...(own.flags && { flags: own.flags }),
    ...(own.sets && { sets: own.sets }),
    ...(support && { support: (date: ReleaseDate) => support(operation.id, date, dates) }),
    handler: handlerIn(operation, own, writing),
    path: pathIn(operation.path, changes.words),
    versions,
  };
}

/** Returns the handler of an operation, which replies to some faults with a document or with another operation. */
function handlerIn(
  { handler }: AnyOperation,
  { instead = {}, otherwise }: OperationChange,
  { handlerOf }: Writing,
): AnyOperation['handler'] {
  if (Object.keys(instead).length === 0 && otherwise === undefined) return handler;
  return async (call) => {
    try {
      return await handler(call);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (Object.hasOwn(instead, error.code))
        return instead[error.code] as Awaited<ReturnType<typeof handler>>;
      const other = error.code === otherwise?.code ? handlerOf(otherwise.operation) : undefined;
      if (other === undefined) throw error;
      return other(call);
    }
  };
}

/** Returns the versions of an operation in a dialect. Omits the newest version, unless it is the only one. */
function datesOf(operation: AnyOperation, { from, versions }: OperationChange): readonly ReleaseDate[] {
  const dates = versionsOf(operation);
  const older = dates.filter((date) => date !== NEWEST_VERSION);
  const served = versions === 'all' || older.length === 0 ? dates : older;
  return from === undefined ? served : [from, ...served.filter((date) => date > from)];
}

interface ShapeContext extends Writing {
  readonly changes: DialectChanges;
  readonly own: OperationChange;
}

function shapeIn(operation: AnyOperation, declared: AnyShape, context: ShapeContext): AnyShape {
  if (declared === 'unavailable') return declared;
  const { own, write, replyOf } = context;
  const change: ShapeChange = declared === 'same' ? {} : declared;
  const body: TSchema | undefined = change.body ?? operation.body;
  const reply: TSchema | undefined =
    (own.replyIn && replyOf(own.replyIn.like)) ?? change.reply ?? operation.reply;
  return {
    ...change,
    ...(own.status !== undefined && { status: own.status }),
    ...(body && {
      body: withReadOnly(withOptional(write(body), own), reply && write(reply)),
      read: reader(body, change, context),
    }),
    ...(reply && {
      reply: withoutDefaults(write(reply), own.omitsEmpty),
      write: writer(reply, change, context),
    }),
  };
}

/**
 * Adds the read-only fields of the reply to the body, since clients change documents that they have read and send them
 * back.
 */
function withReadOnly(body: TSchema, reply: TSchema | undefined): TSchema {
  const { properties, ...schema } = asJsonSchema(body);
  const shown = Object.entries((reply && asJsonSchema(reply).properties) ?? {});
  if (properties === undefined) return body;
  const added = shown.filter(([name, { readOnly }]) => readOnly === true && !Object.hasOwn(properties, name));
  if (added.length === 0) return body;
  return { ...schema, properties: { ...properties, ...Object.fromEntries(added) } } as TSchema;
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
    own.replyIn && fieldOf(own.replyIn.field),
    lazily(() => translator({ declared: reply, own: write(reply) }, changes, 'out')),
    entityChange(changes, reply)?.present as Translator | undefined,
    own.omits && withoutFields(own.omits),
    own.omitsEmpty && omittedFrom(own.omitsEmpty),
  );
}

/** Compiles a translation on first use, because most operations of a table are never called. */
function lazily(make: () => Translator | undefined): Translator {
  let made: Translator | undefined;
  return (value) => {
    made ??= make() ?? asItIs;
    return made(value);
  };
}

const asItIs: Translator = (value) => value;

const fieldOf =
  (name: string): Translator =>
  (value) =>
    isPlainObject(value) ? value[name] : value;

function chained(...translators: ReadonlyArray<Translator | undefined>): Translator {
  const steps = translators.filter((one) => one !== undefined);
  return (value) => steps.reduce((changed, step) => step(changed), value);
}
