import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Oplog } from '../../../storage/oplog/oplog.ts';
import { positionOf } from '../../../storage/oplog/time.ts';
import { nullable, words } from '../../shared/field-builders.ts';
import { fields } from '../../shared/fields.ts';
import { decodeToken, type Token } from './token.ts';

const lookups = ['default', 'updateLookup', 'whenAvailable', 'required'] as const;
const images = ['off', 'whenAvailable', 'required'] as const;

const reader = fields('$changeStream', {
  allChangesForCluster: 'flag',
  fullDocument: words(lookups),
  fullDocumentBeforeChange: words(images),
  resumeAfter: 'object',
  showExpandedEvents: 'flag',
  showRawUpdateDescription: 'flag',
  showSystemEvents: 'flag',
  startAfter: 'object',
  startAtOperationTime: nullable('timestamp'),
});

export interface StreamOptions {
  readonly allChangesForCluster: boolean;
  readonly showExpandedEvents: boolean;
  readonly showRawUpdateDescription: boolean;
  readonly showSystemEvents: boolean;
  readonly fullDocument: (typeof lookups)[number];
  readonly fullDocumentBeforeChange: (typeof images)[number];
}

/** Parses the stage `$changeStream`. The stream begins after the token `start`. */
export function streamOptions(spec: Value, oplog: Oplog): { options: StreamOptions; start: Token } {
  if (spec.type !== bsonTypes.object) {
    throw new ServerError(
      6_188_500,
      `$changeStream must take a nested object but found: $changeStream: ${typeName(spec.type)}`,
    );
  }
  const args = reader.read(documentOf(spec));
  const {
    allChangesForCluster = false,
    fullDocument = 'default',
    fullDocumentBeforeChange = 'off',
    showExpandedEvents = false,
    showRawUpdateDescription = false,
    showSystemEvents = false,
  } = args;
  const options = {
    fullDocument,
    fullDocumentBeforeChange,
    allChangesForCluster,
    showExpandedEvents,
    showRawUpdateDescription,
    showSystemEvents,
  };
  return { options, start: startOf(oplog, args.resumeAfter, args.startAfter, args.startAtOperationTime) };
}

function startOf(oplog: Oplog, resumeAfter?: RawDocument, startAfter?: RawDocument, time?: Value): Token {
  if (resumeAfter !== undefined && startAfter !== undefined) {
    throw new ServerError(
      50_865,
      "Do not specify both 'resumeAfter' and 'startAfter' in a $changeStream stage",
    );
  }
  const token = resumeAfter ?? startAfter;
  const start = token && decodeToken(token);
  if (start !== undefined && time !== undefined) {
    throw new ServerError(
      40_674,
      "Only one type of resume option is allowed, but multiple were found in a $changeStream stage: 'startAtOperationTime' and a resume token",
    );
  }
  if (resumeAfter !== undefined && start?.event?.invalidate === true) {
    throw new ServerError(
      'InvalidResumeToken',
      "Attempting to resume a change stream using 'resumeAfter' is not allowed from an invalidate notification.",
    );
  }
  if (start === undefined && time === undefined) return { position: oplog.last + 1 };
  const from = start ?? { position: positionOf(time as Value) };
  checkHistory(oplog, from);
  return from;
}

/** Throws if the oplog no longer contains all changes after the start. */
export function checkHistory(oplog: Oplog, { position }: Token): void {
  if (position > oplog.last || oplog.isComplete || position >= oplog.first) return;
  throw new ServerError(
    'ChangeStreamHistoryLost',
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
    { errorLabels: ['NonResumableChangeStreamError'] },
  );
}
