import { RawDocument } from '../../../bson/raw.ts';
import { step } from '../../../bson/turns.ts';
import { Value } from '../../../bson/value.ts';
import type { Details } from './schema-details.ts';

/** Maximum size of the details of one rejected document, in bytes. It is that of the server. */
const MAX_DETAILS = 12 * 1024 * 1024;

/**
 * Returns the details, or only says that they are truncated. The details contain the tested value once per condition of
 * the validator, so a short command could cause details of many gigabytes.
 */
export function limited(details: Details): Details {
  return leftAfter(details, MAX_DETAILS) < 0 ? { truncated: true } : details;
}

/** Returns how many of `left` bytes remain after a value. Stops when none remain. */
function leftAfter(value: unknown, left: number): number {
  step();
  if (value instanceof Value) return left - (value.end - value.start);
  if (value instanceof RawDocument) return left - value.length;
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - 8;
  let rest = left;
  for (const [name, part] of Object.entries(value)) {
    rest = leftAfter(part, rest - name.length);
    if (rest < 0) break;
  }
  return rest;
}
