import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import { readOptions } from './options.ts';
import type { Namespace } from './pipeline-environment.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { writesOutput } from './stage-facts.ts';

export const outputStages: StageTable = {
  $out: {
    compile: compileOut,
    ...writesOutput,
    access: { ...readsInput, writes: { actions: ['insert', 'remove'], target: (stage) => stage } },
  },
};

/** Replaces the content of a collection by the incoming documents. Has no output. */
function compileOut(spec: Value, { pipelineEnvironment }: StageContext): Stage {
  const { timeseries, ...namespace } = outTarget(spec);
  checkTarget(namespace, pipelineEnvironment.namespace.database);
  return function* (docs) {
    pipelineEnvironment.replaceCollection(namespace, docs, timeseries);
    yield* [];
  };
}

function outTarget(spec: Value): Namespace & { readonly timeseries?: RawDocument } {
  if (spec.type === bsonTypes.string) return { collection: textOf(spec) };
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      16990,
      `$out only supports a string or object argument, but found ${typeName(spec.type)}`,
    );
  }
  const { db, coll, timeseries } = readOptions('$out', spec, {
    db: 'string!',
    coll: 'string!',
    timeseries: 'object',
  });
  return {
    database: db && textOf(db),
    collection: coll === undefined ? '' : textOf(coll),
    ...(timeseries ? { timeseries: documentOf(timeseries) } : {}),
  };
}

/** Maximum length of a namespace in bytes. */
const MAX_NAMESPACE = 255;

/** True if the name is not a valid database name. */
export function isWrongDatabase(name: string): boolean {
  return /[/\\. "$*<>:|?\0]/.test(name);
}

function checkTarget({ database, collection }: Namespace, own: string): void {
  const target = database ?? own;
  if (database === '') throw new ServerError('InvalidNamespace', 'The database of $out has no name');
  if (collection.startsWith('$') || Buffer.byteLength(`${target}.${collection}`) > MAX_NAMESPACE) {
    throw new ServerError('IllegalOperation', `Invalid namespace specified: '${target}.${collection}'`);
  }
  if (
    isWrongDatabase(target) ||
    collection === '' ||
    collection.includes('$') ||
    collection.includes('\0') ||
    collection.startsWith('.')
  ) {
    throw new ServerError('InvalidNamespace', `Invalid $out target namespace, ${target}.${collection}`);
  }
  if (collection.startsWith('system.')) {
    throw new ServerError(17385, `Can't $out to special collection: ${collection}`);
  }
  if (ownDatabases.has(target)) {
    throw new ServerError(31321, `Can't $out to internal database: ${target}`);
  }
}
