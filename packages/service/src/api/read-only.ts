import { utcDate } from './dates.ts';
import { generalFaults } from './faults.ts';
import type { Call } from './operation.ts';
import { isPlainObject } from './schema/json-schema.ts';

/**
 * Throws `ATTRIBUTE_READ_ONLY` for the first read-only field of the body that differs from the entity's.
 * `entity` is what a handler would return: the entity before the change, or, on create, the fields that the
 * request itself determines (`{ groupId }`). A time that the service moves forward may also be an earlier one.
 */
export function assertUnchanged(call: Pick<Call, 'readOnly' | 'present'>, entity: unknown): void {
  if (call.readOnly.size === 0) return;
  const shown = call.present(entity);
  for (const [path, sent] of call.readOnly) {
    const repeats = call.readOnly.advancing.has(path) ? isSameOrEarlier : isSame;
    if (!shown.some((document) => repeats(valueAt(document, path), sent)))
      throw generalFaults.ATTRIBUTE_READ_ONLY(path);
  }
}

function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Links of nested entities are ignored, and dates may have any offset. */
function isSame(shown: unknown, sent: unknown): boolean {
  if (shown === sent) return true;
  if (typeof shown === 'string' && typeof sent === 'string') return isSameDate(shown, sent);
  if (Array.isArray(shown) && Array.isArray(sent)) {
    return shown.length === sent.length && shown.every((item, index) => isSame(item, sent[index]));
  }
  if (!isPlainObject(shown) || !isPlainObject(sent)) return false;
  const names = new Set([...Object.keys(shown), ...Object.keys(sent)]);
  names.delete('links');
  return names.values().every((name) => isSame(shown[name], sent[name]));
}

function isSameOrEarlier(shown: unknown, sent: unknown): boolean {
  if (isSame(shown, sent)) return true;
  if (typeof shown !== 'string' || typeof sent !== 'string') return false;
  const date = utcDate(sent);
  return date !== undefined && Date.parse(date) < Date.parse(shown);
}

function isSameDate(shown: string, sent: string): boolean {
  const date = utcDate(shown);
  return date !== undefined && date === utcDate(sent)?.replace(/\.\d+Z$/, 'Z');
}
