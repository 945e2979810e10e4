import { ServerError } from '../../server-error.ts';
import { bsonTypes } from '../bson-types.ts';
import { writeDocument } from '../document-writer.ts';
import { arrayOf } from '../expression/field-path.ts';
import { checkFieldName } from '../field-path.ts';
import { documentOf, entriesOf, type RawDocument } from '../raw.ts';
import type { Element } from '../value.ts';
import type { Pipeline, StageContext, StageTable } from './pipeline.ts';

export const facetStages: StageTable = {
  $facet: (spec, context) => {
    if (spec.type !== bsonTypes.object || documentOf(spec).isEmpty) {
      throw new ServerError(40169, 'the $facet specification must be a non-empty object');
    }
    const facets = [...documentOf(spec)].map((element) => ({
      name: element.name,
      pipeline: compileFacet(element, context),
    }));
    return function* (docs) {
      const all = [...docs].map((doc) => doc.compact());
      yield writeDocument((writer) => {
        for (const { name, pipeline } of facets) {
          writer.field(name, arrayOf([...pipeline.run(all)].map((doc) => doc.toValue())));
        }
      });
    };
  },
};

function compileFacet(element: Element, context: StageContext): Pipeline {
  checkFieldName(element.name);
  return context.compile(stagesOf(element, 40170, 40171, '$facet'), { inside: '$facet' });
}

/** The stages of a pipeline inside of a stage. */
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
