import { RawDocument } from '../../../bson/raw.ts';
import { nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { applyDiff } from '../../../storage/oplog/apply-diff.ts';
import type { Oplog } from '../../../storage/oplog/oplog.ts';
import { idKey } from '../../../storage/records/id-key.ts';
import { describeUpdate } from './description.ts';
import type { LoggedChange } from './entry.ts';
import type { EventParts } from './event-parts.ts';
import type { Namespace, Watched } from './watched.ts';

type Body = Readonly<Record<string, unknown>>;

/** Builds the event for a change of one document. */
export function documentEvent(
  operation: LoggedChange,
  ns: Namespace,
  watched: Watched,
  oplog: Oplog,
): EventParts {
  const { kind, o, o2 } = operation;
  const images = new EventImages(operation, ns, watched, oplog);
  switch (kind) {
    case 'i':
      return { operationType: 'insert', documentKey: o2, body: { fullDocument: o, ns, documentKey: o2 } };
    case 'd':
      return { operationType: 'delete', documentKey: o, body: { ns, documentKey: o, ...images.before() } };
    default: {
      if (o.has('$v')) return updateEvent(operation, ns, watched, images);
      const body = { fullDocument: o, ns, documentKey: o2, ...images.before() };
      return { operationType: 'replace', documentKey: o2, body };
    }
  }
}

function updateEvent(
  { o, o2 }: LoggedChange,
  ns: Namespace,
  { options }: Watched,
  images: EventImages,
): EventParts {
  const body = {
    ...images.after(),
    ns,
    documentKey: o2,
    ...(options.showRawUpdateDescription ? { rawUpdateDescription: o } : descriptionOf(o, options)),
    ...images.before(),
  };
  return { operationType: 'update', documentKey: o2, body };
}

function descriptionOf(o: RawDocument, { showExpandedEvents }: Watched['options']): Body {
  const { disambiguatedPaths, ...rest } = describeUpdate(diffIn(o));
  return { updateDescription: showExpandedEvents ? { ...rest, disambiguatedPaths } : rest };
}

function diffIn(o: RawDocument): RawDocument {
  return o.document('diff') ?? RawDocument.empty;
}

/**
 * The document before and after the change. Each is included only if the options of the stream request it.
 */
class EventImages {
  readonly #operation: LoggedChange;
  readonly #ns: Namespace;
  readonly #watched: Watched;
  readonly #oplog: Oplog;

  constructor(operation: LoggedChange, ns: Namespace, watched: Watched, oplog: Oplog) {
    this.#operation = operation;
    this.#ns = ns;
    this.#watched = watched;
    this.#oplog = oplog;
  }

  before(): Body {
    const { fullDocumentBeforeChange: mode } = this.#watched.options;
    if (mode === 'off') return {};
    return { fullDocumentBeforeChange: this.#found(this.#former(), mode === 'required', 'pre-image') };
  }

  /**
   * Returns the document after the change. For an update, the oplog entry contains only the difference. So
   * the option `fullDocument` decides what is returned: nothing, the current version of the document, or the
   * pre-image with the difference applied.
   */
  after(): Body {
    const { fullDocument: mode } = this.#watched.options;
    if (mode === 'default') return {};
    if (mode === 'updateLookup') return { fullDocument: this.#now() };
    const former = this.#former();
    const after = former && applyDiff(former, diffIn(this.#operation.o));
    return { fullDocument: this.#found(after, mode === 'required', 'post-image') };
  }

  #former(): RawDocument | undefined {
    return this.#oplog.images.find(this.#operation.image);
  }

  #found(image: RawDocument | undefined, required: boolean, what: string): RawDocument | Value {
    if (image !== undefined || !required) return image ?? nullValue;
    const events = what === 'pre-image' ? 'update, delete and replace' : 'update';
    throw new ServerError(
      'NoMatchingDocument',
      `Change stream was configured to require a ${what} for all ${events} events, but the ${what} was not found`,
    );
  }

  /** Returns the current version of the document, or null if the document has been deleted. */
  #now(): RawDocument | Value {
    const { o2, uuid } = this.#operation;
    const collection = this.#watched.find(this.#ns.db, this.#ns.coll);
    if (o2 === undefined || collection === undefined) return nullValue;
    // A collection that was created later under the same name does not contain the document.
    if (uuid !== undefined && Buffer.compare(collection.uuid, binaryOf(uuid)) !== 0) return nullValue;
    return collection.find(idKey(o2))?.doc ?? nullValue;
  }
}

function binaryOf({ bytes, start, end }: Value): Uint8Array {
  return bytes.subarray(start + 5, end);
}
