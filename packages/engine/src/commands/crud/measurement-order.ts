import { bsonTypes } from '../../bson/bson-types.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { layoutOf } from '../../storage/buckets/layout.ts';
import { inTimeOrder } from '../../storage/buckets/time-order.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { metaPaths } from '../../storage/model/meta-paths.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { checkInsert } from './validation/rules.ts';

/**
 * Returns the measurements of one insertion by time. Keeps their order if one of them may be rejected, since errors
 * contain the place of the measurement.
 */
export function orderMeasurements(
  documents: readonly RawDocument[],
  collection: Collection,
  request: CommandRequest,
  cluster: ClusterContext,
): readonly RawDocument[] {
  const timeseries = collection.options.document('timeseries') ?? RawDocument.empty;
  const mayContainArray = indexedFields(collection, timeseries).some((name) =>
    documents.some((document) => containers.has(document.get(name)?.type ?? bsonTypes.null)),
  );
  if (mayContainArray || !areAccepted(documents, collection, request, cluster)) return documents;
  return inTimeOrder(documents, layoutOf(timeseries));
}

const containers: ReadonlySet<number> = new Set([bsonTypes.array, bsonTypes.object]);

/** Returns the fields that must not contain arrays: indexed ones, except the metaField. */
function indexedFields({ indexes }: Collection, timeseries: RawDocument): string[] {
  const isMeta = metaPaths(timeseries);
  const paths = indexes.flatMap(({ parts }) => parts.map(({ path }) => path.text));
  return paths.filter((path) => !isMeta(path)).map((path) => path.split('.', 1)[0] as string);
}

function areAccepted(
  documents: readonly RawDocument[],
  collection: Collection,
  request: CommandRequest,
  cluster: ClusterContext,
): boolean {
  try {
    for (const document of documents) checkInsert(collection, document, request, cluster);
    return true;
  } catch (error) {
    if (error instanceof ServerError) return false;
    throw error;
  }
}
