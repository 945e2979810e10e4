import { checkAuditFilter } from '@portolan/engine/management';
import { parse } from 'yaml';
import { badValue } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { type Auditing, findAuditing } from './rows.ts';

const FIELD = 'auditFilter';

/** Throws for a filter that is not a query document. `{}` matches every message. */
export async function checkFilter(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  const filter = filterAsJson(text);
  if (filter === undefined) throw badValue(FIELD, 'is not a JSON object');
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

/** The audit configuration of a project for the engine; undefined if it has none. */
export async function auditingSpec(tx: ReadTx, groupId: string): Promise<Auditing | undefined> {
  const auditing = await findAuditing(tx, groupId);
  const filter = auditing?.filter === undefined ? undefined : filterAsJson(auditing.filter);
  return auditing && { ...auditing, ...(filter !== undefined && { filter }) };
}

/**
 * A filter as JSON; undefined for a text that is no object. Filters written for a shell have names in single quotes or
 * without quotes, which is valid as a flow mapping of YAML.
 */
function filterAsJson(text: string): string | undefined {
  if (isObject(() => JSON.parse(text))) return text;
  if (!text.trimStart().startsWith('{')) return undefined;
  // Forbid aliases, since a short text with aliases can expand to a large document.
  const read = () => parse(text, { maxAliasCount: 0 });
  return isObject(read) ? JSON.stringify(read()) : undefined;
}

function isObject(read: () => unknown): boolean {
  try {
    const value = read();
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
