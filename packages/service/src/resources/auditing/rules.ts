import { checkAuditFilter } from '@portolan/engine/management';
import { badValue } from '../../api/faults.ts';

const FIELD = 'auditFilter';

/** Throws for a filter that is not a query document. `{}` matches every message. */
export async function checkFilter(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  if (!isObject(text)) throw badValue(FIELD, 'is not a JSON object');
  try {
    await checkAuditFilter(text);
  } catch (error) {
    throw badValue(
      FIELD,
      `is not a query document: ${error instanceof Error ? error.message : error}`,
      FIELD,
    );
  }
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
