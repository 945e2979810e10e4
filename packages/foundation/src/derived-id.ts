import { createHash } from 'node:crypto';

/**
 * Returns an identifier in the form of `Ids` (ids.ts) that depends only on the text, so that it need not be stored. It
 * contains no time.
 */
export function derivedId(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
