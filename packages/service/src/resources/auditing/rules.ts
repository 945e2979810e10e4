import { createRequire } from 'node:module';
import { checkAuditFilter } from '@portolan/engine/management';
import { badValue } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { type Auditing, findAuditing } from './rows.ts';

const FIELD = 'auditFilter';

/** Loads the library when it is first used, since loading it at each start of the service takes 20 ms. */
const yaml = (): typeof import('yaml') => createRequire(import.meta.url)('yaml');

/** Throws for a filter that is not a query document. `{}` matches every message. */
export async function checkFilter(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const filter = filterAsJson(text);
  if (filter === undefined) throw badValue(FIELD, notAnObject(text));
  try {
    await checkAuditFilter(filter);
  } catch (error) {
    throw badValue(
      FIELD,
      `is not a query document: ${error instanceof Error ? error.message : error}`,
      FIELD,
    );
  }
}

const notAnObject = ({ length }: string): string =>
  length > MAX_SHELL_LENGTH
    ? `is not a JSON object. Only filters of up to ${MAX_SHELL_LENGTH} characters can have names without double quotes`
    : 'is not a JSON object';

/** Returns the audit configuration of a project for the engine; undefined if it has none. */
export async function auditingSpec(tx: ReadTx, groupId: string): Promise<Auditing | undefined> {
  const auditing = await findAuditing(tx, groupId);
  const filter = auditing?.filter === undefined ? undefined : filterAsJson(auditing.filter);
  return auditing && { ...auditing, ...(filter !== undefined && { filter }) };
}

/** Maximum length of a filter that is not JSON, in characters. */
const MAX_SHELL_LENGTH = 10_000;

/**
 * Returns a filter as JSON; undefined for a text that is not an object. Filters that were written for a shell have
 * names in single quotes or without quotes. YAML reads such a text as a flow mapping.
 */
function filterAsJson(text: string): string | undefined {
  if (objectIn(() => JSON.parse(text)) !== undefined) return text;
  // For a nested text, the time that the parser takes grows with the square of the length.
  if (!text.trimStart().startsWith('{') || text.length > MAX_SHELL_LENGTH) return undefined;
  // Forbid aliases, since a short text with aliases can expand to a large document. Allow repeated keys, since
  // comparing each key with all others takes quadratic time.
  const filter = objectIn(() => yaml().parse(text, { maxAliasCount: 0, uniqueKeys: false }));
  return filter && JSON.stringify(filter);
}

function objectIn(read: () => unknown): object | undefined {
  try {
    const value = read();
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
