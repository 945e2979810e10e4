import { bsonTypes } from '../../bson/bson-types.ts';
import { toInteger } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { isNumber, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { fractionsOf } from '../environment.ts';
import { anywhere } from './position.ts';
import type { StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { carriesMetadata, chooses, inQueries } from './stage-facts.ts';

export const sampleStages: StageTable = {
  $sample: {
    compile(spec, { environment }) {
      const size = sizeOf(spec);
      const random = fractionsOf(environment);
      return function* (docs) {
        yield* sampled(docs, size, random);
      };
    },
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: { ...chooses, ties: () => () => false },
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

function sizeOf(spec: Value): number {
  if (spec.type !== bsonTypes.object)
    throw new ServerError(28745, 'the $sample stage specification must be an object');
  let size: Value | undefined;
  for (const element of documentOf(spec)) {
    if (element.name !== 'size') {
      throw new ServerError(28748, `unrecognized option to $sample: ${element.name}`);
    }
    size = element;
    if (!isNumber(size)) throw new ServerError(28746, 'size argument to $sample must be a number');
  }
  if (size === undefined) throw new ServerError(28749, '$sample stage must specify a size');
  const number = toInteger(size);
  if (!(number > 0)) throw new ServerError(28747, 'size argument to $sample must be a positive integer');
  return number;
}

/**
 * Reservoir sampling: each document is equally likely to be chosen for every position of the output. At most `size`
 * documents are buffered.
 */
function sampled(docs: Iterable<RawDocument>, size: number, random: () => number): RawDocument[] {
  const kept: RawDocument[] = [];
  let seen = 0;
  for (const doc of docs) {
    const place = Math.floor(random() * ++seen);
    if (kept.length < size) {
      const moved = kept[place];
      kept.push(doc.compact());
      if (moved !== undefined) {
        kept[place] = doc.compact();
        kept[kept.length - 1] = moved;
      }
    } else if (place < size) kept[place] = doc.compact();
  }
  return kept;
}
