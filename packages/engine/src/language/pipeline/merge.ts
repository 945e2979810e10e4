import { bsonTypes } from '../../bson/bson-types.ts';
import { equalValues } from '../../bson/compare.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { compileFilter } from '../filter/compile.ts';
import { fieldAt, withField } from './document-fields.ts';
import { type Merge, parseMerge } from './merge-options.ts';
import type { UniqueKey } from './pipeline-environment.ts';
import { isWithin } from './placement.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { optionsOf, readsInput, stagesIn } from './stage-access.ts';
import { writesOutput } from './stage-facts.ts';

/**
 * A document could not be merged after other documents were merged. This is not a `ServerError`, because a
 * `ServerError` would roll back the earlier writes.
 */
export class MergeFailed extends Error {
  override readonly name = 'MergeFailed';
  readonly reason: ServerError;

  constructor(reason: ServerError) {
    super(reason.message);
    this.reason = reason;
  }
}

export const mergeStages: StageTable = {
  $merge: {
    compile: compileMerge,
    ...writesOutput,
    access: {
      ...readsInput,
      pipelines: (stage) => [stagesIn(optionsOf(stage).get('whenMatched'))],
      writes: { actions: ['insert', 'update'], target: (stage) => optionsOf(stage).get('into') ?? stage },
    },
  },
};

/**
 * Merges each document into the document of the target collection that has the same values in the `on` fields. Has no
 * output.
 */
function compileMerge(spec: Value, context: StageContext): Stage {
  const merge = parseMerge(spec, context.pipelineEnvironment.namespace.database);
  const update = merge.pipeline && compileUpdate(merge, merge.pipeline, context);
  const { environment, pipelineEnvironment } = context;
  const { sparse } = uniqueKey(
    merge,
    pipelineEnvironment.uniqueKeys(merge.into, environment.comparison?.collation),
  );
  return function* (docs) {
    let failed: ServerError | undefined;
    // The server validates the pipeline of the update only when there is a document to update.
    const [refused] = (merge.pipeline ?? []).flatMap((stage) => refusedIn(stage, context));
    for (const doc of docs) {
      environment.statement.check();
      checkKeys(doc, merge.on, sparse);
      try {
        if (refused !== undefined) throw refused;
        environment.statement.releasing(() => mergeOne(doc, merge, context, update));
      } catch (error) {
        if (!(error instanceof ServerError) || error.codeName === 'WriteConflict') throw error;
        failed ??= error;
      }
    }
    if (failed !== undefined) throw new MergeFailed(failed);
    yield* [];
  };
}

function mergeOne(
  doc: RawDocument,
  merge: Merge,
  context: StageContext,
  update: MergeUpdate | undefined,
): void {
  const { pipelineEnvironment } = context;
  if (merge.whenMatched === 'fail') {
    insertNew(doc, merge, context);
    return;
  }
  const target = targetOf(doc, merge, context);
  const written = target === undefined ? notMatched(doc, merge) : matched(target, doc, merge, update);
  if (written === undefined) return;
  if (target === undefined) pipelineEnvironment.insertOne(merge.into, inserted(written, merge));
  else pipelineEnvironment.replaceOne(merge.into, target, written);
}

/** Inserts without looking up the target: the unique index on the `on` fields rejects duplicates. */
function insertNew(doc: RawDocument, { into, on }: Merge, { pipelineEnvironment }: StageContext): void {
  try {
    pipelineEnvironment.insertOne(into, doc);
  } catch (error) {
    if (!(error instanceof ServerError) || !meetsBy(on, error)) throw error;
    throw new ServerError(
      'DuplicateKey',
      `$merge with whenMatched: fail found an existing document with the same values for the 'on' fields :: caused by :: ${error.message}`,
      error.more,
    );
  }
}

/** True if the error is a duplicate key in the index on exactly the `on` fields. */
function meetsBy(on: readonly string[], { codeName, more: { keyPattern } }: ServerError): boolean {
  if (codeName !== 'DuplicateKey') return false;
  const names =
    keyPattern instanceof RawDocument
      ? [...keyPattern].map(({ name }) => name)
      : Object.keys(keyPattern ?? {});
  return sortedText(on) === sortedText(names);
}

/**
 * Values of `whenMatched` with which a missing document is inserted by setting its fields one by one. As a
 * result, its fields are sorted by name.
 */
const setting: ReadonlySet<string> = new Set(['merge', 'keepExisting']);

function inserted(doc: RawDocument, { whenMatched, on }: Merge): RawDocument {
  if (!setting.has(whenMatched)) return doc;
  const rank = (name: string) => (name === '_id' ? '' : name);
  // Missing `on` fields become null, because the lookup of the target document treats them as null.
  const whole = on.map((path) => path.split('.')).reduce(withKey, doc);
  const fields = [...whole].sort((a, b) => (rank(a.name) < rank(b.name) ? -1 : 1));
  return writeDocument((writer) => {
    for (const field of fields) writer.element(field);
  });
}

function withKey(doc: RawDocument, path: readonly string[]): RawDocument {
  if (path[0] === '_id' || fieldAt(doc, path) !== undefined) return doc;
  return withField(doc, path, nullValue);
}

/** Returns the document of the target collection that has the same values in the `on` fields. */
function targetOf(
  doc: RawDocument,
  { into, on }: Merge,
  { pipelineEnvironment, environment }: StageContext,
): RawDocument | undefined {
  const wanted = on.map((path) => [path, fieldAt(doc, path.split('.'))] as const);
  if (wanted.some(([path, value]) => value === undefined && path === '_id')) return undefined;
  const filter = compileFilter(
    writeDocument((writer) => {
      for (const [path, value] of wanted) writer.field(path, equalTo(value ?? nullValue));
    }),
    environment,
  );
  for (const target of pipelineEnvironment.read(into, filter)) if (filter.matches(target)) return target;
  return undefined;
}

function equalTo(value: Value): Value {
  return writeDocument((writer) => writer.field('$eq', value)).toValue();
}

/** Throws for invalid keys: for arrays and, if the index is sparse, for null and missing values. */
function checkKeys(doc: RawDocument, on: readonly string[], sparse: boolean): void {
  for (const path of on) {
    const value = fieldAt(doc, path.split('.'));
    // An insert creates a missing `_id`.
    if (value === undefined && path === '_id') continue;
    if (sparse && (value === undefined || isNull(value))) {
      throw new ServerError(51132, "$merge write error: 'on' field cannot be missing, null or undefined");
    }
    if (value?.type === bsonTypes.array) {
      throw new ServerError(51185, "$merge write error: 'on' field cannot be an array");
    }
  }
}

function isNull({ type }: Value): boolean {
  return type === bsonTypes.null || type === bsonTypes.undefined;
}

function uniqueKey({ on }: Merge, keys: readonly UniqueKey[]): UniqueKey {
  const fitting = keys.filter(({ fields }) => sortedText(fields) === sortedText(on));
  const found = fitting.find(({ sparse }) => !sparse) ?? fitting[0];
  if (found !== undefined) return found;
  throw new ServerError(51183, 'Cannot find index to verify that join fields will be unique');
}

function sortedText(paths: readonly string[]): string {
  return [...paths].sort().join('\n');
}

function notMatched(doc: RawDocument, { whenNotMatched }: Merge): RawDocument | undefined {
  if (whenNotMatched === 'insert') return doc;
  if (whenNotMatched === 'discard') return undefined;
  throw new ServerError(
    13113,
    '$merge could not find a matching document in the target collection for at least one document in the source collection',
  );
}

function refusedIn(stage: RawDocument, { describe }: StageContext): ServerError[] {
  const first = stage.first();
  const within = first && describe(first.name)?.within;
  if (first === undefined || within === undefined || isWithin(within.update, first)) return [];
  return [new ServerError('InvalidOptions', `${first.name} is not allowed to be used within an update`)];
}

type MergeUpdate = (target: RawDocument, doc: RawDocument) => RawDocument;

function matched(
  target: RawDocument,
  doc: RawDocument,
  { whenMatched }: Merge,
  update: MergeUpdate | undefined,
): RawDocument | undefined {
  switch (whenMatched) {
    case 'keepExisting':
      return undefined;
    case 'replace':
      return sameId(target, doc);
    case 'pipeline':
      return sameId(target, update?.(target, doc) ?? doc);
    default:
      return sameId(target, overlaid(target, doc));
  }
}

/** Returns `target` with its top-level fields replaced by those of `doc`. */
function overlaid(target: RawDocument, doc: RawDocument): RawDocument {
  return writeDocument((writer) => {
    for (const element of target) writer.field(element.name, doc.get(element.name) ?? element);
    for (const element of doc) if (!target.has(element.name)) writer.element(element);
  });
}

function sameId(target: RawDocument, doc: RawDocument): RawDocument {
  const before = target.get('_id');
  const after = doc.get('_id');
  if (before !== undefined && after !== undefined && !equalValues(before, after)) {
    throw new ServerError(
      'ImmutableField',
      '$merge failed to update the matching document, did you attempt to modify the _id or the shard key?',
    );
  }
  if (before === undefined || after !== undefined) return doc;
  return writeDocument((writer) => {
    writer.field('_id', before);
    for (const element of doc) writer.element(element);
  });
}

/**
 * Compiles the pipeline of the update. The variable `$$new` is the incoming document. If the stage defines other
 * variables, `$$new` exists only with `whenNotMatched: insert`.
 */
function compileUpdate(merge: Merge, specs: readonly RawDocument[], context: StageContext): MergeUpdate {
  const variables = new Map<string, Expression>();
  for (const element of merge.let ?? []) {
    variables.set(element.name, compileExpression(element, context.environment));
  }
  const compile = (doc: RawDocument | undefined) => {
    const constants = new Map(context.environment.constants);
    if (merge.let === undefined || merge.whenNotMatched === 'insert') constants.set('new', doc?.toValue());
    for (const [name, expression] of variables) {
      constants.set(name, doc === undefined ? undefined : expression.evaluate({ root: doc }));
    }
    const environment: Environment = { ...context.environment, constants };
    return context.compile(specs, { inside: '$merge', environment });
  };
  compile(undefined);
  return (target, doc) => [...compile(doc).run([target])][0] ?? target;
}
