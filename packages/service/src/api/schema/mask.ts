/** How a secret is shown after its creation. */
export type MaskKind = 'secret' | 'privateKey';

const SHOWN = 4;
const ASTERISKS = '*'.repeat(8);
const PRIVATE_KEY_SHOWN = 12;

/**
 * Masks a secret. `secret`: a fixed number of asterisks and the last four characters (docs/contract/api.md 2.1).
 * `privateKey`: three masked groups of a UUID and its last group.
 */
export function mask(kind: MaskKind, secret: string): string {
  if (kind === 'privateKey') return `********-****-****-${secret.slice(-PRIVATE_KEY_SHOWN)}`;
  // The last four characters of a short secret would reveal too much.
  return secret.length < 2 * SHOWN ? ASTERISKS : ASTERISKS + secret.slice(-SHOWN);
}
