import { createHmac } from 'node:crypto';
import { sameText } from '@portolan/foundation/secret-box';

export const NONCE_BYTES = 24;

export interface Nonces {
  readonly host: string;
  readonly client: string;
}

/**
 * Returns a proof that one side has the token. The proof does not contain the token. It depends on the side. Thus a
 * peer without the token cannot send back the value that it received.
 */
export function proofOf(side: 'host' | 'client', token: string, nonces: Nonces): string {
  return createHmac('sha256', token).update(`${side}\0${nonces.host}\0${nonces.client}`).digest('hex');
}

export function isProof(proof: unknown, side: 'host' | 'client', token: string, nonces: Nonces): boolean {
  return typeof proof === 'string' && sameText(proof, proofOf(side, token, nonces));
}
