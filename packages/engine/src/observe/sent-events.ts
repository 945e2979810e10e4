import { encodeDocument } from '../bson/encode.ts';
import type { AuditEvent, LogEvent } from './observer.ts';

/**
 * This file contains events in the form in which threads send them to the host. The values of commands are sent as
 * BSON bytes, because structured cloning would lose their classes.
 */

export type SentLog = Omit<LogEvent, 'attr'> & { readonly attr?: Uint8Array };
export type SentAudit = Omit<AuditEvent, 'param'> & { readonly param: Uint8Array };

export function sentLog({ attr, ...event }: LogEvent): SentLog {
  return attr === undefined ? event : { ...event, attr: encodeDocument({ ...attr }) };
}

export function sentAudit({ param, ...event }: AuditEvent): SentAudit {
  return { ...event, param: encodeDocument({ ...param }) };
}
