import { bsonTypes } from '../../language/bson-types.ts';
import { documentOf, type RawDocument } from '../../language/raw.ts';
import type { Value } from '../../language/value.ts';
import { ServerError } from '../../server-error.ts';
import type { Oplog } from '../../storage/oplog/oplog.ts';
import { positionOf } from '../../storage/oplog/time.ts';
import { fields } from '../fields.ts';
import { decodeToken, type Token, told } from './token.ts';

const reader = fields('$changeStream', {
  fullDocument: 'string',
  fullDocumentBeforeChange: 'string',
  resumeAfter: 'object',
  startAfter: 'object',
  startAtOperationTime: 'timestamp',
  showExpandedEvents: 'truth',
  allChangesForCluster: 'truth',
});

const lookups = ['default', 'updateLookup', 'whenAvailable', 'required'] as const;
export type FullDocument = (typeof lookups)[number];

export interface StreamOptions {
  readonly fullDocument: FullDocument;
  /** What has been told before. */
  readonly start: Token;
}

/** Reads the first stage of a pipeline that watches a collection. */
export function streamOptions(spec: Value, oplog: Oplog): StreamOptions {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(6188500, 'the $changeStream stage must be specified as an object');
  }
  const args = reader.read(documentOf(spec));
  const { fullDocumentBeforeChange: before = 'off', allChangesForCluster } = args;
  if (!['off', 'whenAvailable'].includes(before) || args.showExpandedEvents || allChangesForCluster) {
    throw new ServerError('CommandNotSupported', 'these options of $changeStream are not supported');
  }
  const fullDocument = lookups.find((known) => known === (args.fullDocument ?? 'default'));
  if (fullDocument === undefined) {
    throw new ServerError(
      'BadValue',
      `Enumeration value '${args.fullDocument}' for field '$changeStream.fullDocument' is not a valid value.`,
    );
  }
  const { resumeAfter, startAfter, startAtOperationTime } = args;
  return { fullDocument, start: startOf(oplog, resumeAfter, startAfter, startAtOperationTime) };
}

function startOf(oplog: Oplog, resumeAfter?: RawDocument, startAfter?: RawDocument, time?: Value): Token {
  if ([resumeAfter, startAfter, time].filter((given) => given !== undefined).length > 1) {
    throw new ServerError(
      50674,
      "Only one type of resume option is allowed, but multiple were found: 'resumeAfter', 'startAfter', 'startAtOperationTime'",
    );
  }
  if (resumeAfter === undefined && startAfter === undefined && time === undefined) {
    return { position: oplog.last, told: told.all };
  }
  const start = time
    ? { position: positionOf(time), told: told.nothing }
    : decodeToken((resumeAfter ?? startAfter) as RawDocument);
  if (resumeAfter !== undefined && start.told === told.end) {
    throw new ServerError(
      'InvalidResumeToken',
      "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
    );
  }
  checkHistory(oplog, start);
  return start;
}

/** Throws when changes behind the start have left the oplog already. */
export function checkHistory(oplog: Oplog, { position }: Token): void {
  if (oplog.isWhole || position >= oplog.first) return;
  throw new ServerError(
    'ChangeStreamHistoryLost',
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
    { errorLabels: ['NonResumableChangeStreamError'] },
  );
}
