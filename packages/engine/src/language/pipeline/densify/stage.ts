import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { entriesOf, type RawDocument } from '../../../bson/raw.ts';
import { type Element, int32, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { isNullish } from '../../expression/operator.ts';
import { checkFieldPath } from '../../field-path.ts';
import { compileSort } from '../../sort.ts';
import { DocumentList } from '../../spill/document-list.ts';
import { sortedWithin } from '../../spill/sorted.ts';
import { fieldAt } from '../document-fields.ts';
import { readOptions } from '../options.ts';
import { anywhere } from '../position.ts';
import type { Stage, StageContext, StageTable } from '../stage.ts';
import { readsInput } from '../stage-access.ts';
import { carriesMetadata, inQueries } from '../stage-facts.ts';
import { type Densify, Filler } from './filler.ts';
import { parseRange } from './range.ts';

export const densifyStages: StageTable = {
  $densify: {
    compile: compileDensify,
    source: 'input',
    position: anywhere,
    within: inQueries,
    metadata: carriesMetadata,
    fusion: 'alters',
    access: readsInput,
    readConcern: 'any',
    shapesPlan: true,
    stableApi: true,
  },
};

/** Inserts documents wherever a value of the field is missing between two existing documents. */
function compileDensify(spec: Value, { environment }: StageContext): Stage {
  const densify = parseDensify(spec);
  const order = compileSort(orderOf(densify), environment);
  return function* (docs) {
    const filler = new Filler(densify, environment);
    const sorted = sortedWithin(docs, order, environment);
    if (densify.range.bounds !== 'full') {
      yield* filled(sorted);
      return;
    }
    const list = new DocumentList(environment, '$densify');
    try {
      for (const doc of sorted) list.add(doc);
      filler.setEnds(list);
      yield* filled(list);
    } finally {
      list.close();
    }

    function* filled(given: Iterable<RawDocument>): Generator<RawDocument> {
      for (const doc of given) {
        const value = fieldAt(doc, densify.field);
        if (value !== undefined && !isNullish(value)) yield* filler.before(doc, value);
        yield doc;
      }
      yield* filler.rest();
    }
  };
}

/** Returns the sort order: first by partition, unless the bounds span all documents, and then by the field. */
function orderOf({ field, partitionBy, range }: Densify): RawDocument {
  const before = range.bounds === 'full' ? [] : partitionBy;
  return writeDocument((writer) => {
    for (const path of [...before, field]) writer.field(path.join('.'), int32(1));
  });
}

function parseDensify(spec: Value): Densify {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      'FailedToParse',
      `The $densify stage specification must be an object, found ${typeName(spec.type)}`,
    );
  }
  const options = readOptions('$densify', spec, {
    field: 'string!',
    partitionByFields: 'array',
    range: 'object!',
  });
  const field = textOf(options.field as Element);
  const range = parseRange(options.range as Element);
  const partitionBy = options.partitionByFields ? partitionFields(options.partitionByFields, field) : [];
  checkFieldPath(field);
  if (range.bounds === 'partition' && partitionBy.length === 0) {
    throw new ServerError(
      5733408,
      "One cannot specify the bounds as 'partition' without specifying a non-empty array of " +
        "partitionByFields. You may have meant to specify 'full' bounds.",
    );
  }
  return { field: field.split('.'), partitionBy: partitionBy.map((path) => path.split('.')), range };
}

function partitionFields(spec: Element, field: string): string[] {
  return entriesOf(spec).map((entry, i) => {
    if (entry.type !== bsonTypes.string) {
      throw new ServerError(
        'TypeMismatch',
        `BSON field '$densify.partitionByFields.${i}' is the wrong type '${typeName(entry.type)}', ` +
          "expected type 'string'",
      );
    }
    const path = textOf(entry);
    if (path.startsWith(field)) {
      throw new ServerError(
        8993000,
        `partitionByFields '${path}' cannot include field '${field}' that is being densified.`,
      );
    }
    if (field.startsWith(path)) {
      throw new ServerError(
        9554500,
        `field '${field}' that is being densified cannot include partitionByFields '${path}'.`,
      );
    }
    checkFieldPath(path);
    return path;
  });
}
