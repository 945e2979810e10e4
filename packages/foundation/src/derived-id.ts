import { createHash } from 'node:crypto';

/**
 * Returns an identifier in the form of `Ids` (ids.ts). It depends only on the text, so callers need not store it.
 * Unlike other ids, it contains no time.
 */
export function derivedId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
