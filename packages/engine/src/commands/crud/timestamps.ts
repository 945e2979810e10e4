import { bsonTypes } from '../../bson/bson-types.ts';
import { findNul, valueEnd } from '../../bson/bytes.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { nextPosition, timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';

/**
 * Replaces empty top-level timestamps of a document by the cluster time, except in `_id`. Changes nothing if the
 * command sets `bypassEmptyTsReplacement`, as restore tools do.
 */
export function withTimestamps(
  document: RawDocument,
  { body }: CommandRequest,
  cluster: ClusterContext,
): RawDocument {
  if (!hasEmptyTimestamp(document) || body.bool('bypassEmptyTsReplacement') === true) return document;
  let position = cluster.store.oplog.last;
  return writeDocument((writer) => {
    for (const element of document) {
      if (!isEmpty(element) || element.name === '_id') {
        writer.element(element);
        continue;
      }
      position = nextPosition(position, cluster.clock.now());
      writer.field(element.name, timestampAt(position));
    }
  });
}

/** Like `withTimestamps`, for the replacement document of an update. Other updates remain unchanged. */
export function wholeWithTimestamps(update: Value, request: CommandRequest, cluster: ClusterContext): Value {
  if (update.type !== bsonTypes.object) return update;
  const document = documentOf(update);
  return document.first()?.name.startsWith('$')
    ? update
    : withTimestamps(document, request, cluster).toValue();
}

/**
 * True if a top-level field is an empty timestamp. This runs for each inserted document. It scans the bytes, because
 * creating an object for each field would take longer.
 */
export function hasEmptyTimestamp({ bytes, offset }: RawDocument): boolean {
  let at = offset + 4;
  for (let type = bytes[at] as number; type !== 0; type = bytes[at] as number) {
    const start = findNul(bytes, at + 1) + 1;
    if (type === bsonTypes.timestamp && isZero(bytes, start)) return true;
    at = valueEnd(bytes, type, start);
  }
  return false;
}

function isEmpty({ type, bytes, start }: Value): boolean {
  return type === bsonTypes.timestamp && isZero(bytes, start);
}

function isZero(bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < 8; i++) if (bytes[start + i] !== 0) return false;
  return true;
}
