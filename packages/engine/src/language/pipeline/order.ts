import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { SORT_KEY } from '../metadata.ts';
import { compileSort } from '../sort.ts';
import { sortedWithin } from '../spill/sorted.ts';
import { checkSortMetadata, withSortKey } from './metadata.ts';
import { integerArgument } from './numbers.ts';
import { anywhere } from './position.ts';
import type { SameRank, Stage, StageContext, StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { carriesMetadata, chooses, inQueries, selects } from './stage-facts.ts';

/** Stages that select or sort documents. */
export const orderStages: StageTable = {
  $sort: {
    compile: compileSortStage,
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: { ...chooses, ranks: 'anywhere', ties: sameInOrder },
    access: readsInput,
    readConcern: 'any',
    shapesPlan: true,
    stableApi: true,
  },
  $skip: {
    compile(spec) {
      const count = integerArgument('$skip', 5107200, spec);
      return (docs) => skip(docs, count);
    },
    ...selects,
  },
  $limit: {
    compile(spec) {
      const count = limitOf(spec);
      return (docs) => limit(docs, count);
    },
    ...selects,
  },
};

function sameInOrder(stage: Element, environment: Environment): SameRank {
  const { compare } = compileSort(documentOf(stage), environment);
  return (a, b) => compare(a, b) === 0;
}

function limitOf(spec: Value): number {
  const count = integerArgument('$limit', 5107201, spec);
  if (count === 0) throw new ServerError(15958, 'the limit must be positive');
  return count;
}

/**
 * Compiles `$sort`. If `$limit` follows directly, the stage keeps at most about twice as many documents as the limit.
 */
function compileSortStage(spec: Value, { next, environment }: StageContext): Stage {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15973, 'the $sort key specification must be an object');
  }
  const doc = documentOf(spec);
  if (doc.isEmpty) throw new ServerError(15976, '$sort stage must have at least one sort key');
  const sort = compileSort(doc, environment);
  checkSortMetadata(sort, environment.metadata);
  const most = next?.name === '$limit' ? limitOf(next) : undefined;
  const showsKey = environment.metadata?.has(SORT_KEY) === true;
  return function* (docs) {
    const sorted = sortedWithin(docs, sort, environment, most);
    yield* showsKey ? sorted.map(withSortKey(sort)) : sorted;
  };
}

function* skip(docs: Iterable<RawDocument>, count: number): Iterable<RawDocument> {
  let seen = 0;
  for (const doc of docs) if (seen++ >= count) yield doc;
}

function* limit(docs: Iterable<RawDocument>, count: number): Iterable<RawDocument> {
  let seen = 0;
  for (const doc of docs) {
    yield doc;
    if (++seen >= count) return;
  }
}
