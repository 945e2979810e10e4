import type { PlainObject } from '@portolan/foundation/plain-object';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { ServerError } from '../../errors/server-error.ts';

/**
 * Limit for all error messages in a reply, in bytes. As on the server, messages beyond the limit are replaced by empty
 * ones.
 */
const MESSAGE_BYTES = 1_048_576;
/** Number of error messages at the beginning of a reply that are complete, whatever their length is. */
const COMPLETE_MESSAGES = 2;
/**
 * Limit for the details of all errors in a reply, in bytes. Details beyond the limit are omitted, because a reply has
 * at most 16 MB. The details of each rejected document include the validator, which can be large.
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
    // Encode the details now. Otherwise they would keep the documents to which they refer in memory.
    const details = new RawDocument(encodeDocument(more));
    this.#details += details.length;
    return { code, errmsg, ...Object.fromEntries([...details].map((field) => [field.name, field])) };
  }
}
