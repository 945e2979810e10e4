import type { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Environment } from '../environment.ts';
import { arrayOf } from '../expression/field-path.ts';
import type { Filter } from '../filter/filter.ts';
import { addMetadata, inheritMetadata, onRequest } from '../metadata.ts';
import type { Sort } from '../sort.ts';
import type { WrittenStage } from './placement.ts';
import type { Stage, StageDescriptor } from './stage.ts';

/** Returns the names of the document metadata that the stages of a pipeline provide. */
export function metadataFrom(
  stages: readonly WrittenStage[],
  filter: Filter | undefined,
): ReadonlySet<string> | undefined {
  const given = stages.flatMap(({ spec, descriptor }, i) => descriptor.metadata.provides(spec, i === 0));
  const all = filter?.scored ? [...textMetadata, ...given] : given;
  return all.length === 0 ? undefined : new Set(all);
}

const textMetadata: ReadonlySet<string> = new Set(['textScore']);
export const nearMetadata: ReadonlySet<string> = new Set(['geoNearDistance', 'geoNearPoint']);

/** Returns the environment for stages after a filter, with the metadata that the filter provides. */
export function environmentAfter(environment: Environment, { scored, near }: Filter): Environment {
  if (scored) return { ...environment, metadata: textMetadata };
  return near === undefined ? environment : { ...environment, metadata: nearMetadata };
}

/** Returns the environment for the projection of a query: with the metadata that the filter provides, and that the projection may request. */
export function projectionEnvironment(environment: Environment, filter: Filter): Environment {
  const after = environmentAfter(environment, filter);
  return { ...after, metadata: new Set([...(after.metadata ?? []), ...onRequest]) };
}

/** Returns a function that adds the sort key to a document as metadata, for `{$meta: 'sortKey'}`. */
export function withSortKey({ keyOf }: Sort): (doc: RawDocument) => RawDocument {
  return (doc) => {
    addMetadata(doc, { sortKey: arrayOf(keyOf(doc)) });
    return doc;
  };
}

/** Throws if the sort needs metadata that no earlier stage provides. */
export function checkSortMetadata({ parts }: Sort, known: ReadonlySet<string> | undefined): void {
  for (const { meta } of parts) {
    if (meta === undefined || known?.has(meta) || !required.has(meta)) continue;
    throw new ServerError(40218, `query requires ${meta} metadata, but it is not available`);
  }
}

const required: ReadonlySet<string> = new Set(['textScore', 'geoNearDistance']);

/** Wraps a stage so that its output documents inherit metadata from the documents that they derive from. */
export function propagatingMetadata({ metadata }: StageDescriptor, stage: Stage): Stage {
  return metadata.carries ? carryingMetadata(stage) : stage;
}

/**
 * Wraps a stage so that each output document without metadata inherits that of the document that the stage read last. A
 * stage that reads further documents before it returns one sets the metadata itself.
 */
export function carryingMetadata(stage: Stage): Stage {
  return function* (docs) {
    let last: RawDocument | undefined;
    const watched = function* () {
      for (const doc of docs) {
        last = doc;
        yield doc;
      }
    };
    for (const doc of stage(watched())) {
      if (last !== undefined) inheritMetadata(last, doc);
      yield doc;
    }
  };
}
