import { documentOf, RawDocument } from '../../language/raw.ts';
import { nullValue, string, textOf, type Value } from '../../language/value.ts';
import { ServerError } from '../../server-error.ts';
import type { Collection } from '../../storage/collection.ts';
import { idKey } from '../../storage/id-key.ts';
import { encodeDocument } from '../encode.ts';
import { describeUpdate } from './description.ts';
import type { FullDocument } from './options.ts';
import { encodeToken, type Told, told } from './token.ts';

/** Whose changes are told, and how. */
export interface Watched {
  readonly database: string;
  readonly name: string;
  readonly fullDocument: FullDocument;
  /** The collection as it is now. */
  find(): Collection | undefined;
}

/** What a change stream tells of one entry of the oplog, in order. */
export interface ChangeEvent {
  readonly told: Told;
  readonly document: RawDocument;
}

type Body = Readonly<Record<string, unknown>>;

export function eventsOf(entry: RawDocument, position: number, watched: Watched): ChangeEvent[] {
  const ns = textOf(entry.get('ns') ?? string(''));
  const event = (step: Told, operationType: string, body: Body): ChangeEvent => ({
    told: step,
    document: new RawDocument(
      encodeDocument({
        _id: encodeToken({ position, told: step }),
        operationType,
        clusterTime: entry.get('ts'),
        wallTime: entry.get('wall'),
        ...body,
      }),
    ),
  });
  if (ns === `${watched.database}.$cmd`) {
    const dropped = objectOf(entry).get('drop');
    if (dropped === undefined || textOf(dropped) !== watched.name) return [];
    return [event(told.change, 'drop', namespaceOf(watched)), event(told.end, 'invalidate', {})];
  }
  if (ns !== `${watched.database}.${watched.name}`) return [];
  const change = changeOf(entry, watched);
  return change === undefined ? [] : [event(told.change, change.kind, change.body)];
}

function namespaceOf({ database: db, name: coll }: Watched): Body {
  return { ns: { db, coll } };
}

function objectOf(entry: RawDocument): RawDocument {
  return documentOf(entry.get('o') ?? RawDocument.empty.toValue());
}

function changeOf(entry: RawDocument, watched: Watched): { kind: string; body: Body } | undefined {
  const o = objectOf(entry);
  const key = entry.get('o2');
  const ns = namespaceOf(watched);
  switch (textOf(entry.get('op') ?? string(''))) {
    case 'i':
      return { kind: 'insert', body: { fullDocument: o, ...ns, documentKey: key } };
    case 'd':
      return { kind: 'delete', body: { ...ns, documentKey: o } };
    case 'u':
      return o.has('$v')
        ? { kind: 'update', body: updateBody(o, key, watched) }
        : { kind: 'replace', body: { fullDocument: o, ...ns, documentKey: key } };
    default:
      return undefined;
  }
}

function updateBody(o: RawDocument, key: Value | undefined, watched: Watched): Body {
  const diff = o.document('diff') ?? RawDocument.empty;
  const updateDescription = describeUpdate(diff);
  const rest = { ...namespaceOf(watched), documentKey: key, updateDescription };
  switch (watched.fullDocument) {
    case 'default':
      return rest;
    case 'updateLookup':
      return { fullDocument: lookUp(key, watched), ...rest };
    case 'whenAvailable':
      return { fullDocument: null, ...rest };
    case 'required':
      throw new ServerError(
        'NoMatchingDocument',
        'Change stream was configured to require a post-image for all update events, but the post-image was not found',
      );
  }
}

/** The document as it is now; null when it has gone. */
function lookUp(key: Value | undefined, watched: Watched): RawDocument | Value {
  if (key === undefined) return nullValue;
  return watched.find()?.find(idKey(documentOf(key)))?.doc ?? nullValue;
}
