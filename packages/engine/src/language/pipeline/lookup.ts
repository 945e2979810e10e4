import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import { type Element, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { isCollectionName, isDatabaseName } from '../../interface/namespaces.ts';
import type { Environment } from '../environment.ts';
import { compileExpression } from '../expression/compile.ts';
import type { Expression } from '../expression/expression.ts';
import { arrayOf } from '../expression/field-path.ts';
import { checkVariableBound } from '../expression/variable-name.ts';
import { checkFieldPath } from '../field-path.ts';
import { type Path, pathOf } from '../paths.ts';
import { memoryOnly, STAGE_BYTES, uncounted } from '../workspace.ts';
import { withField } from './document-fields.ts';
import { stagesOf } from './facet.ts';
import { ForeignDocuments } from './foreign.ts';
import { readOptions } from './options.ts';
import type { Namespace } from './pipeline-environment.ts';
import { anywhere } from './position.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { readsFrom } from './stage-access.ts';
import { carriesMetadata, inQueries } from './stage-facts.ts';

export const lookupStages: StageTable = {
  $lookup: {
    compile: compileLookup,
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsFrom,
    readConcern: 'any',
    shapesPlan: true,
    stableApi: true,
  },
};

interface Lookup {
  readonly from?: Namespace;
  readonly as: readonly string[];
  readonly local?: Path;
  readonly foreign?: Path;
  readonly pipeline?: readonly RawDocument[];
  readonly variables: ReadonlyMap<string, Expression>;
}

/** Joins documents of another collection by equal values, by a pipeline, or both. */
function compileLookup(spec: Value, context: StageContext): Stage {
  const { lookup, own } = withOwnSource(parseLookup(spec, context.environment), context);
  const { as } = lookup;
  // Validates the pipeline even if there is no input document.
  const { workspace = memoryOnly } = context.environment;
  const passing = { ...context, environment: { ...context.environment, workspace: uncounted(workspace) } };
  context.environment.statement.releasing(() => compileInner(lookup, undefined, passing));
  return function* (docs) {
    const { environment } = context;
    const foreign = new ForeignDocuments(lookup, context, own);
    const fixed = lookup.variables.size === 0 ? compileInner(lookup, undefined, context) : undefined;
    const joined = (doc: RawDocument): Value => {
      const inner = fixed ?? compileInner(lookup, doc, passing);
      const candidates = foreign.meeting(doc, inner?.filter);
      const found = inner === undefined ? candidates : inner.run(candidates);
      return arrayOf(Array.from(found, collecting()));
    };
    const { statement } = environment;
    try {
      for (const doc of docs) {
        statement.check();
        // Filters and pipelines that are compiled for one document are released before the next one.
        const values = statement.releasing(() => joined(doc));
        yield withField(doc, as, values);
      }
    } finally {
      foreign.close();
    }
  };
}

/** Replaces a leading `$documents` stage by its documents, which are joined before the remaining stages run. */
function withOwnSource(
  parsed: Lookup,
  context: StageContext,
): { readonly lookup: Lookup; readonly own?: Iterable<RawDocument> } {
  const [first, ...rest] = parsed.pipeline ?? [];
  if (parsed.from !== undefined || parsed.local === undefined || first === undefined)
    return { lookup: parsed };
  const own = context.compile([first], { inside: '$lookup' }).run([]);
  return { lookup: { ...parsed, pipeline: rest }, own: [...own] };
}

/** Compiles the nested pipeline with the values that its variables have for one document. */
function compileInner(
  { from, pipeline, variables }: Lookup,
  doc: RawDocument | undefined,
  context: StageContext,
) {
  if (pipeline === undefined) return undefined;
  const constants = new Map(context.environment.constants);
  for (const [name, expression] of variables) {
    constants.set(name, doc === undefined ? undefined : expression.evaluate({ root: doc }));
  }
  const environment: Environment = { ...context.environment, constants };
  return context.compile(pipeline, { inside: '$lookup', environment, reads: from });
}

/** Returns a function that collects the joined documents of one input document and checks their total size. */
function collecting(): (doc: RawDocument) => Value {
  let bytes = 0;
  return (doc) => {
    bytes += doc.length;
    if (bytes > STAGE_BYTES) {
      throw new ServerError(4568, 'Total size of documents matched by $lookup exceeds maximum document size');
    }
    return doc.toValue();
  };
}

function wrong(message: string): ServerError {
  return new ServerError('FailedToParse', message);
}

function parseLookup(spec: Value, environment: Environment): Lookup {
  if (spec.type !== bsonTypes.object) {
    throw wrong(`the $lookup stage specification must be an object, but found ${typeName(spec.type)}`);
  }
  if (documentOf(spec).isEmpty) throw wrong("must specify 'pipeline' or 'localField' and 'foreignField'");
  checkSource(documentOf(spec));
  const options = readOptions('$lookup', spec, {
    from: 'any',
    as: 'string!',
    localField: 'string',
    foreignField: 'string',
    let: 'object',
    // Here a null `pipeline` is a type error rather than an absent option.
    pipeline: 'any',
  });
  const pipeline = options.pipeline && stagesOf(options.pipeline, 'TypeMismatch', 'TypeMismatch', '$lookup');
  const variables = options.let === undefined ? new Map() : variablesOf(options.let, environment);
  const [local, foreign] = joinOf(options.localField, options.foreignField);
  if (pipeline === undefined && options.localField === undefined) {
    throw wrong("$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified");
  }
  if (pipeline === undefined && variables.size > 0) {
    throw wrong("$lookup with a 'let' argument must also specify 'pipeline'");
  }
  const from = options.from && namespaceOf(options.from, '$lookup');
  const as = fieldName(options.as as Element).split('.');
  return {
    as,
    variables,
    ...(from && { from }),
    ...(pipeline && { pipeline }),
    ...(local && foreign && { local, foreign }),
  };
}

/** Validates `from`. Must run first, because its errors take precedence over all others. */
function checkSource(spec: RawDocument): void {
  const from = spec.get('from');
  if (from !== undefined && from.type !== bsonTypes.null) return;
  const pipeline = spec.get('pipeline');
  const [first] = pipeline?.type === bsonTypes.array ? entriesOf(pipeline) : [];
  const own = first?.type === bsonTypes.object && documentOf(first).first()?.name === '$documents';
  if (!own) throw wrong("must specify 'from' field for a $lookup");
}

/** Requires both fields of the join or neither. An empty name counts as absent. */
function joinOf(local: Element | undefined, foreign: Element | undefined): readonly [Path?, Path?] {
  const isNamed = (field: Element | undefined) => field !== undefined && textOf(field) !== '';
  if (isNamed(local) !== isNamed(foreign)) {
    throw wrong("$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
  }
  if (local === undefined || foreign === undefined || !isNamed(local)) return [];
  return [pathOf(fieldName(local)), pathOf(fieldName(foreign))];
}

/** Parses the name of a collection, in this database or in the given one. */
export function namespaceOf(element: Element, stage: string): Namespace {
  const namespace = writtenNamespace(element, stage);
  if (element.type === bsonTypes.object) checkElsewhere(namespace, stage);
  checkForeign(namespace, stage);
  return namespace;
}

/** Throws for a collection of another database, except for some collections of the server itself. */
function checkElsewhere({ database = '', collection }: Namespace, stage: string): void {
  const name = `${database}.${collection}`;
  if (name === 'local.oplog.rs' || name === 'config.collections' || name.startsWith('config.cache.chunks.'))
    return;
  throw wrong(
    `${stage} with syntax {from: {db:<>, coll:<>},..} is not supported for db: ${database} and coll: ${collection}`,
  );
}

/** Throws if the name is not a valid collection name. */
export function checkForeign({ database, collection }: Namespace, stage: string): void {
  if (isCollectionName(collection) && (database === undefined || isDatabaseName(database))) return;
  throw new ServerError('InvalidNamespace', `invalid ${stage} namespace: ${database ?? ''}.${collection}`);
}

function writtenNamespace(element: Element, stage: string): Namespace {
  if (element.type === bsonTypes.string) return { collection: textOf(element) };
  if (element.type !== bsonTypes.object) {
    throw wrong(
      `${stage} argument '${element.name}' must be a string or an object, is type ${typeName(element.type)}`,
    );
  }
  const doc = documentOf(element);
  return { database: doc.string('db'), collection: doc.string('coll') ?? '' };
}

function fieldName(element: Element): string {
  const text = textOf(element);
  checkFieldPath(text);
  return text;
}

function variablesOf(element: Element, environment: Environment): Map<string, Expression> {
  const variables = new Map<string, Expression>();
  for (const variable of documentOf(element)) {
    checkVariableBound(variable.name);
    variables.set(variable.name, compileExpression(variable, environment));
  }
  return variables;
}
