import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { type Environment, noEnvironment } from '../environment.ts';
import { compileFilter } from '../filter/compile.ts';
import type { Filter } from '../filter/filter.ts';
import { anywhere } from './position.ts';
import type { StageTable } from './stage.ts';
import { readsInput } from './stage-access.ts';
import { carriesMetadata, chooses, inQueries } from './stage-facts.ts';

export const matchStages: StageTable = {
  $match: {
    compile(spec, { environment, position, filter: known }) {
      // The server reports this error even if there is no text index.
      if (position > 0 && spec.type === bsonTypes.object && usesText(documentOf(spec))) {
        throw new ServerError(17313, '$match with $text is only allowed as the first pipeline stage');
      }
      const filter = known ?? compileMatch(spec, environment);
      return function* (docs) {
        for (const doc of docs) if (filter.matches(doc)) yield doc;
      };
    },
    source: 'input',
    position: anywhere,
    within: { ...inQueries, changeStream: true },
    metadata: carriesMetadata,
    fusion: chooses,
    access: readsInput,
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

const logical: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);

export function usesText(filter: RawDocument): boolean {
  return [...filter].some(
    (element) =>
      element.name === '$text' ||
      (logical.has(element.name) &&
        element.type === bsonTypes.array &&
        entriesOf(element).some((entry) => entry.type === bsonTypes.object && usesText(documentOf(entry)))),
  );
}

export function compileMatch(spec: Value, environment?: Environment): Filter {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(15959, 'the match filter must be an expression in an object');
  }
  const within = environment ?? noEnvironment;
  return compileFilter(documentOf(spec), { ...within, inPipeline: true, withoutNear: true });
}
