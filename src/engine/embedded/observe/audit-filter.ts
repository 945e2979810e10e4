import { EJSON } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { compileFilter } from '../language/filter/index.ts';

/** Whether an audit message is wanted. */
export type AuditFilter = (message: object) => boolean;

/** Throws for a text that is no query document. */
export function compileAuditFilter(text: string): AuditFilter {
  const filter = compileFilter(RawDocument.from(EJSON.parse(text, { relaxed: true })));
  return (message) => filter.matches(RawDocument.from(message));
}

/** One that cannot be read lets every message through: too much is better than a gap. */
export function auditFilter(text: string | undefined): AuditFilter {
  if (text === undefined || text.trim() === '') return () => true;
  try {
    return compileAuditFilter(text);
  } catch {
    return () => true;
  }
}
