import { EJSON } from 'bson';
import { RawDocument } from '../bson/raw.ts';
import { compileFilter } from '../language/filter/index.ts';

/** Whether an audit message is wanted. */
export type AuditFilter = (message: object) => boolean;

/** One that cannot be read lets every message through: too much is better than a gap. */
export function auditFilter(text: string | undefined): AuditFilter {
  if (text === undefined || text.trim() === '') return () => true;
  try {
    const filter = compileFilter(RawDocument.from(EJSON.parse(text, { relaxed: true })));
    return (message) => filter.matches(RawDocument.from(message));
  } catch {
    return () => true;
  }
}
