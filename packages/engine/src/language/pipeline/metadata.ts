import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../expression/environment.ts';
import type { Filter } from '../filter/filter.ts';
import { inherit } from '../metadata.ts';
import type { Sort } from '../sort.ts';
import type { WrittenStage } from './place.ts';
import type { Stage, StageDescriptor } from './stage.ts';

/** What the stages of a pipeline tell about documents besides their fields. */
export function metadataFrom(
  stages: readonly WrittenStage[],
  filter: Filter | undefined,
): ReadonlySet<string> | undefined {
  const given = stages.flatMap(({ spec, descriptor }, i) => descriptor.metadata.gives(spec, i === 0));
  const all = filter?.scored ? [...textMetadata, ...given] : given;
  return all.length === 0 ? undefined : new Set(all);
}

const textMetadata: ReadonlySet<string> = new Set(['textScore']);
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

/** The same stage, passing on what is known of a document to those that it makes of it. */
export function carrying({ metadata }: StageDescriptor, stage: Stage): Stage {
  if (!metadata.carries) return stage;
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
