import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { boolOf, type Element } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../expression/environment.ts';
import type { Filter } from '../filter/filter.ts';
import { inherit } from '../metadata.ts';
import type { Sort } from '../sort.ts';
import type { Stage } from './pipeline.ts';

/** What the stages of a pipeline tell about documents besides their fields. */
export function metadataFrom(
  stages: readonly Element[],
  filter: Filter | undefined,
): ReadonlySet<string> | undefined {
  const scores = stages.flatMap(scoresOf);
  if (filter?.scored) return new Set([...textMetadata, ...scores]);
  if (stages[0]?.name === '$geoNear') return new Set([...nearMetadata, ...scores]);
  return scores.length === 0 ? undefined : new Set(scores);
}

const scoring: ReadonlySet<string> = new Set(['$rankFusion', '$scoreFusion', '$score']);

function scoresOf(stage: Element): string[] {
  if (!scoring.has(stage.name) || stage.type !== bsonTypes.object) return [];
  const wanted = documentOf(stage).get('scoreDetails');
  return wanted?.type === bsonTypes.bool && boolOf(wanted) ? ['score', 'scoreDetails'] : ['score'];
}

export const textMetadata: ReadonlySet<string> = new Set(['textScore']);
export const nearMetadata: ReadonlySet<string> = new Set(['geoNearDistance', 'geoNearPoint']);

/** For what is made of the documents that a filter matched. */
export function knowingFrom(environment: Environment, { scored, near }: Filter): Environment {
  if (scored) return { ...environment, metadata: textMetadata };
  return near === undefined ? environment : { ...environment, metadata: nearMetadata };
}

/** Throws where documents are to be sorted by something that nothing has found out about them. */
export function checkSortMetadata({ parts }: Sort, known: ReadonlySet<string> | undefined): void {
  for (const { meta } of parts) {
    if (meta === undefined || known?.has(meta) || !required.has(meta)) continue;
    throw new ServerError(40218, `query requires ${meta} metadata, but it is not available`);
  }
}

const required: ReadonlySet<string> = new Set(['textScore', 'geoNearDistance']);

/** Stages whose documents do not come from one document each. */
const gathering: ReadonlySet<string> = new Set([
  '$group',
  '$bucket',
  '$bucketAuto',
  '$sortByCount',
  '$count',
  '$facet',
  '$unionWith',
]);

/** The same stage, passing on what is known of a document to those that it makes of it. */
export function carrying(name: string, stage: Stage): Stage {
  if (gathering.has(name)) return stage;
  return function* (docs) {
    let last: RawDocument | undefined;
    const watched = function* () {
      for (const doc of docs) {
        last = doc;
        yield doc;
      }
    };
    for (const doc of stage(watched())) {
      if (last !== undefined) inherit(last, doc);
      yield doc;
    }
  };
}
