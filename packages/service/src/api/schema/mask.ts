/** How a secret is shown once it is no longer new. */
export type MaskKind = 'secret' | 'privateKey';

const SHOWN = 4;
const ASTERISKS = '*'.repeat(8);
const PRIVATE_KEY_SHOWN = 12;

/**
 * `secret`: asterisks, as many for every secret, and the last four characters (contract 2.1). `privateKey`: three
 * masked groups of a UUID and its last group.
 */
export function mask(kind: MaskKind, secret: string): string {
  if (kind === 'privateKey') return `********-****-****-${secret.slice(-PRIVATE_KEY_SHOWN)}`;
  // Of a short secret the last four characters would be too much.
  return secret.length < 2 * SHOWN ? ASTERISKS : ASTERISKS + secret.slice(-SHOWN);
}
