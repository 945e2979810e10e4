import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { stagesOf } from './facet.ts';
import { checkForeign } from './lookup.ts';
import { readOptions } from './options.ts';
import { anywhere } from './position.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { given, optionsOf, readsInput, stagesIn } from './stage-access.ts';
import { dropsMetadata, inQueries } from './stage-facts.ts';

export const unionStages: StageTable = {
  $unionWith: {
    compile: compileUnion,
    source: 'input',
    position: anywhere,
    within: { ...inQueries, transaction: false },
    metadata: dropsMetadata,
    fusion: 'alters',
    access: {
      ...readsInput,
      reads: (stage) => given(stage.type === bsonTypes.string ? stage : optionsOf(stage).get('coll')),
      pipelines: (stage) => [stagesIn(optionsOf(stage).get('pipeline'))],
    },
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

/** Returns the incoming documents, followed by the documents of another collection or pipeline. */
function compileUnion(spec: Value, context: StageContext): Stage {
  const { collection, specs } = parseUnion(spec);
  const pipeline = context.compile(specs, {
    inside: '$unionWith',
    reads: collection === undefined ? undefined : { collection },
  });
  return function* (docs) {
    yield* docs;
    const source =
      collection === undefined
        ? []
        : context.pipelineEnvironment.read({ collection }, pipeline.filter, context.depth);
    yield* pipeline.run(source);
  };
}

function parseUnion(spec: Value): { collection: string | undefined; specs: readonly RawDocument[] } {
  if (spec.type === bsonTypes.string) return { collection: unitedWith(spec), specs: [] };
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      'FailedToParse',
      `the $unionWith stage specification must be an object or string, but found ${typeName(spec.type)}`,
    );
  }
  const { coll, pipeline } = readOptions('$unionWith', spec, { coll: 'string', pipeline: 'any' });
  const specs =
    pipeline === undefined ? [] : stagesOf(pipeline, 'TypeMismatch', 'TypeMismatch', '$unionWith');
  if (coll === undefined && specs[0]?.first()?.name !== '$documents') {
    throw new ServerError(
      'FailedToParse',
      '$unionWith without an explicit collection needs $documents first',
    );
  }
  return { collection: coll && unitedWith(coll), specs };
}

function unitedWith(name: Value): string {
  const collection = textOf(name);
  checkForeign({ collection }, '$unionWith');
  return collection;
}
