import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, entriesOf, type RawDocument } from '../../bson/raw.ts';
import type { Element, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { checkFieldName } from '../field-path.ts';
import { DocumentList } from '../spill/document-list.ts';
import { STAGE_BYTES } from '../workspace.ts';
import type { Pipeline } from './pipeline.ts';
import { anywhere } from './position.ts';
import type { Stage, StageContext, StageTable } from './stage.ts';
import { optionsOf, readsInput, stagesIn } from './stage-access.ts';
import { dropsMetadata, inQueries } from './stage-facts.ts';

export const facetStages: StageTable = {
  $facet: {
    compile: compileFacets,
    source: 'input',
    position: anywhere,
    within: { ...inQueries, facet: false },
    metadata: dropsMetadata,
    fusion: 'alters',
    access: {
      ...readsInput,
      pipelines: (stage) => [...optionsOf(stage)].map(stagesIn),
    },
    readConcern: 'any',
    shapesPlan: false,
    stableApi: true,
  },
};

function compileFacets(spec: Value, context: StageContext): Stage {
  if (spec.type !== bsonTypes.object || documentOf(spec).isEmpty) {
    throw new ServerError(40169, 'the $facet specification must be a non-empty object');
  }
  const facets = [...documentOf(spec)].map((element) => ({
    name: element.name,
    pipeline: compileFacet(element, context),
  }));
  return function* (docs) {
    const all = new DocumentList(context.environment, '$facet');
    try {
      for (const doc of docs) all.add(doc);
      yield facetsOf(facets, all, context.environment.statement);
    } finally {
      all.close();
    }
  };
}

interface Facet {
  readonly name: string;
  readonly pipeline: Pipeline;
}

/**
 * Creates the document with the results of all facets. This document may exceed the maximum size of stored
 * documents. Each result is written at once, since hundreds of thousands of small objects would make collections of
 * garbage long.
 */
function facetsOf(facets: readonly Facet[], all: Iterable<RawDocument>, statement: Statement): RawDocument {
  let bytes = 0;
  function count(doc: RawDocument): void {
    statement.check();
    bytes += doc.length;
    if (bytes > STAGE_BYTES) {
      throw new ServerError(
        4031700,
        `document constructed by $facet is ${bytes} bytes, which exceeds the limit of ${STAGE_BYTES} bytes`,
      );
    }
  }
  return writeDocument((writer) => {
    for (const { name, pipeline } of facets) {
      writer.head(bsonTypes.array, name);
      const start = writer.begin();
      let index = 0;
      for (const doc of pipeline.run(all)) {
        count(doc);
        writer.entry(index++, doc.toValue());
      }
      writer.end(start);
    }
  });
}

function compileFacet(element: Element, context: StageContext): Pipeline {
  checkFieldName(element.name);
  return context.compile(stagesOf(element, 40170, 40171, '$facet'), { inside: '$facet' });
}

/** Returns the stages of a nested pipeline. */
export function stagesOf(
  element: Element,
  notArray: number | 'TypeMismatch',
  notDocument: number | 'TypeMismatch',
  stage: string,
): RawDocument[] {
  if (element.type !== bsonTypes.array) {
    throw new ServerError(notArray, `arguments to ${stage} must be arrays, ${element.name} is not`);
  }
  return entriesOf(element).map((entry) => {
    if (entry.type === bsonTypes.object) return documentOf(entry);
    throw new ServerError(notDocument, `elements of arrays in ${stage} spec must be objects`);
  });
}
