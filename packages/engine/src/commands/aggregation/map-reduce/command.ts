import type { Privilege } from '../../../access/privilege.ts';
import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { nullValue, textOf } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { enabledScripts } from '../../../language/expression/function.ts';
import { compilePipeline } from '../../../language/pipeline/index.ts';
import type { PipelineEnvironment } from '../../../language/pipeline/pipeline-environment.ts';
import type { ScriptFunction } from '../../../language/scripts.ts';
import type { Reply } from '../../../message/reply.ts';
import { documentsOf } from '../../../planner/plan.ts';
import { idKey } from '../../../storage/records/id-key.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { Command } from '../../context/command.ts';
import type { CommandRequest } from '../../context/request.ts';
import { comparisonOf } from '../../shared/collation.ts';
import { command } from '../../shared/define.ts';
import { environmentOf } from '../../shared/environment.ts';
import { byType, notNull, required } from '../../shared/field-builders.ts';
import { bypassing, checkNamespace, collectionOf } from '../../shared/namespace.ts';
import { reading } from '../../shared/presets.ts';
import { stage } from '../../views/read.ts';
import { collectionIn } from '../../views/view.ts';
import { pipelineEnvironmentOf } from '../pipeline-environment.ts';
import { type Output, output } from './output.ts';
import { type Functions, reduced, reduction, result } from './reduction.ts';

/** A function, as a string or as code. */
const code = byType(
  { string: textOf, javascript: textOf },
  ({ type }, name) =>
    new ServerError('TypeMismatch', `'${name}' must be of string or code type, not ${typeName(type)}`),
);

const mapReduce = command({
  name: 'mapReduce',
  aliases: ['mapreduce'],
  ...reading,
  readConcern: 'newest',
  writeConcern: true,
  privileges: privilegesToReduce,
  fields: {
    mapReduce: 'collection!',
    map: required(notNull(code)),
    reduce: required(notNull(code)),
    out: required(output),
    query: 'object',
    sort: 'object',
    limit: 'count',
    finalize: code,
    scope: 'object',
    collation: 'object',
    jsMode: 'truth',
    verbose: 'truth',
    bypassDocumentValidation: 'truth',
  },
  run(args, request, cluster) {
    const { database } = request;
    const { out } = args;
    if (out.kind === 'inline' && request.body.has('writeConcern')) {
      throw new ServerError('InvalidOptions', 'Command mapReduce does not support writeConcern');
    }
    checkNamespace(database, args.mapReduce);
    const collection = collectionIn(cluster.store, database, args.mapReduce);
    const functions = functionsOf(args, cluster);
    const comparison = comparisonOf(args.collation, collection);
    const environment = environmentOf(undefined, cluster, comparison);
    const pipelineEnvironment = pipelineEnvironmentOf(request, args.mapReduce, cluster);
    const stages = [
      ...stage('$match', args.query),
      ...stage('$sort', args.sort?.isEmpty ? undefined : args.sort),
      ...stage('$limit', args.limit || undefined),
    ];
    const pipeline = compilePipeline(stages, { environment, pipelineEnvironment });
    const records = collection?.scan({ kind: 'natural', reverse: false });
    const docs = pipeline.run(records === undefined ? [] : documentsOf(records, cluster.store.running));
    const results = reduction(docs, functions, environment);
    if (out.kind === 'inline') return { results };
    return write(results, out, functions, pipelineEnvironment, { request, cluster });
  },
});

interface MapReduceScripts {
  readonly map: string;
  readonly reduce: string;
  readonly finalize?: string;
  readonly scope?: RawDocument;
}

function functionsOf({ map, reduce, finalize, scope }: MapReduceScripts, cluster: ClusterContext): Functions {
  const scripts = enabledScripts(cluster.scripts());
  const compile = (text: string): ScriptFunction => scripts.compile(withScope(text, scope));
  return {
    map: compile(map),
    reduce: compile(reduce),
    finalize: finalize === undefined ? undefined : compile(finalize),
  };
}

/** Wraps a function so that its code can use the variables of `scope`. */
function withScope(code: string, scope: RawDocument | undefined): string {
  if (scope === undefined || scope.isEmpty) return code;
  const variables = Object.entries(scope.toObject()).map(([name, value]) => {
    if (!/^[A-Za-z_$][\w$]*$/.test(name))
      throw new ServerError('BadValue', `'${name}' is not a valid variable name`);
    return `var ${name} = ${JSON.stringify(value)};`;
  });
  return `function() { ${variables.join(' ')} return (${code.trim().replace(/;$/, '')}).apply(this, arguments); }`;
}

function write(
  results: readonly RawDocument[],
  output: Output,
  { reduce, finalize }: Functions,
  pipelineEnvironment: PipelineEnvironment,
  { request, cluster }: { readonly request: CommandRequest; readonly cluster: ClusterContext },
): Reply {
  const { kind, collection, database } = output;
  checkNamespace(database ?? request.database, collection);
  const target = { collection, database };
  const answer = database === undefined ? collection : { db: database, collection };
  if (kind === 'replace') {
    pipelineEnvironment.replaceCollection(target, results);
    return { result: answer };
  }
  for (const doc of results) {
    const known = cluster.store.collection(database ?? request.database, collection)?.find(idKey(doc))?.doc;
    if (known === undefined) pipelineEnvironment.insertOne(target, doc);
    else
      pipelineEnvironment.replaceOne(
        target,
        known,
        kind === 'merge' ? doc : reduceAgain(known, doc, reduce, finalize),
      );
  }
  return { result: answer };
}

/** Reduces the stored value of a key together with the new value. */
function reduceAgain(
  known: RawDocument,
  doc: RawDocument,
  reduce: ScriptFunction,
  finalize: ScriptFunction | undefined,
): RawDocument {
  const storedValue = (one: RawDocument) => one.get('value') ?? nullValue;
  const key = doc.get('_id') ?? nullValue;
  return result(key, reduced(key, [storedValue(doc), storedValue(known)], reduce), finalize);
}

function outputOf({ body }: CommandRequest): Output | undefined {
  const out = body.get('out');
  if (out === undefined || (out.type !== bsonTypes.string && out.type !== bsonTypes.object)) return undefined;
  return output.read(out, 'out', 'mapReduce');
}

function privilegesToReduce(request: CommandRequest): readonly Privilege[] {
  const source = { database: request.database, collection: collectionOf(request) };
  const output = outputOf(request);
  const reads = [{ action: 'find', ...source }];
  if (output === undefined || output.kind === 'inline') return reads;
  const { kind, collection, database = request.database } = output;
  const actions = ['insert', kind === 'replace' ? 'remove' : 'update', ...bypassing(request)];
  return [...reads, ...actions.map((action) => ({ action, database, collection }))];
}

/** The variant that stores its results. */
const writingMapReduce: Command = { ...mapReduce, data: 'write', members: 'primary' };

export const mapReduceCommands: readonly Command[] = [
  {
    ...mapReduce,
    variant: (request) => ((outputOf(request)?.kind ?? 'inline') === 'inline' ? mapReduce : writingMapReduce),
  },
];
