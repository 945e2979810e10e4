import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import { cutAttribute } from './cut-attribute.ts';
import type { AuditEvent, LogEvent } from './observer.ts';

/**
 * This file contains events in the form in which threads send them to the host. The values of commands are sent as
 * BSON bytes, because structured cloning would lose their classes.
 */

export type SentLog = Omit<LogEvent, 'attr'> & { readonly attr?: Uint8Array };
export type SentAudit = Omit<AuditEvent, 'param'> & {
  readonly param: Uint8Array;
  /** The path of the first value of `param` that did not fit, with its type and its size in bytes. */
  readonly truncated?: object;
};

/**
 * Maximum length of the parameters of an audit message, in characters of JSON. The host writes the messages of all
 * clusters on its main thread, and a command can have 48 MB.
 */
export const MAX_PARAMETERS = 65_536;

export function sentLog({ attr, ...event }: LogEvent): SentLog {
  return attr === undefined ? event : { ...event, attr: encodeDocument({ ...attr }) };
}

/** Truncates the parameters to `longest` characters. */
export function sentAudit({ param, ...event }: AuditEvent, longest = MAX_PARAMETERS): SentAudit {
  const { kept, truncated } = cutAttribute(new RawDocument(encodeDocument({ ...param })), longest);
  return { ...event, param: kept.toBytes(), ...(truncated === undefined ? {} : { truncated }) };
}
