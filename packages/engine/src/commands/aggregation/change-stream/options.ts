import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Oplog } from '../../../storage/oplog/oplog.ts';
import { positionOf } from '../../../storage/oplog/time.ts';
import { fields } from '../../shared/fields.ts';
import { decodeToken, type Token } from './token.ts';

const reader = fields('$changeStream', {
  allChangesForCluster: 'value',
  fullDocument: 'string',
  fullDocumentBeforeChange: 'string',
  resumeAfter: 'object',
  showExpandedEvents: 'value',
  showRawUpdateDescription: 'value',
  showSystemEvents: 'value',
  startAfter: 'object',
  startAtOperationTime: 'any',
});

const lookups = ['default', 'updateLookup', 'whenAvailable', 'required'] as const;
const images = ['off', 'whenAvailable', 'required'] as const;

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
  const before = args.fullDocumentBeforeChange ?? 'off';
  const options: StreamOptions = {
    fullDocument: oneOf(lookups, args.fullDocument ?? 'default', 'fullDocument'),
    fullDocumentBeforeChange: oneOf(images, before, 'fullDocumentBeforeChange'),
    allChangesForCluster: truthOf(args.allChangesForCluster, 'allChangesForCluster'),
    showExpandedEvents: truthOf(args.showExpandedEvents, 'showExpandedEvents'),
    showRawUpdateDescription: truthOf(args.showRawUpdateDescription, 'showRawUpdateDescription'),
    showSystemEvents: truthOf(args.showSystemEvents, 'showSystemEvents'),
  };
  const { resumeAfter, startAfter, startAtOperationTime } = args;
  if (startAtOperationTime !== undefined && startAtOperationTime.type !== bsonTypes.timestamp) {
    throw wrongType('startAtOperationTime', startAtOperationTime, 'timestamp');
  }
  const start = startOf(oplog, resumeAfter, startAfter, startAtOperationTime);
  return { options, start };
}

/** Reads a boolean. Other types, including null, are errors. */
function truthOf(value: Value | undefined, name: string): boolean {
  if (value === undefined) return false;
  if (value.type !== bsonTypes.bool) throw wrongType(name, value, 'bool');
  return value.bytes[value.start] === 1;
}

function wrongType(name: string, value: Value, expected: string): ServerError {
  return new ServerError(
    'TypeMismatch',
    `BSON field '$changeStream.${name}' is the wrong type '${typeName(value.type)}', expected type '${expected}'`,
  );
}

function oneOf<T extends string>(values: readonly T[], value: string, name: string): T {
  const found = values.find((known) => known === value);
  if (found !== undefined) return found;
  throw new ServerError(
    'BadValue',
    `Enumeration value '${value}' for field '$changeStream.${name}' is not a valid value.`,
  );
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
