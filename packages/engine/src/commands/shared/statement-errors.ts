import type { PlainObject } from '@portolan/foundation/plain-object';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';

/** After this many bytes of messages, further messages are empty, as on the server. The first two are always complete. */
const MESSAGE_BYTES = 1_048_576;
const COMPLETE_MESSAGES = 2;
/**
 * After this many bytes of details, further details are omitted, because a reply has at most 16 MB. A validator of 1 MB
 * is part of the details of each rejected document.
 */
const DETAIL_BYTES = 8_388_608;

/** The errors of the statements of one command. */
export class StatementErrors {
  #count = 0;
  #messages = 0;
  #details = 0;

  /** Returns the code, the message and the details of an error as fields of a reply. */
  describe({ code, message, more }: ServerError): PlainObject {
    const errmsg = this.#count >= COMPLETE_MESSAGES && this.#messages >= MESSAGE_BYTES ? '' : message;
    this.#count++;
    this.#messages += message.length;
    if (Object.keys(more).length === 0 || this.#details >= DETAIL_BYTES) return { code, errmsg };
    // Details are encoded at once, because they may refer to documents that are no longer needed.
    const details = new RawDocument(encodeDocument(more));
    this.#details += details.length;
    return { code, errmsg, ...Object.fromEntries([...details].map((field) => [field.name, field])) };
  }
}
