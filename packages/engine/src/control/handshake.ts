import { createHmac } from 'node:crypto';
import { sameText } from '@portolan/foundation/secret-box';

export const NONCE_BYTES = 24;

export interface Nonces {
  readonly host: string;
  readonly client: string;
}

/**
 * Proves that one side knows the token without sending it. The proof includes the side, so that a peer cannot answer
 * with the proof that it received.
 */
export function proofOf(side: 'host' | 'client', token: string, nonces: Nonces): string {
  return createHmac('sha256', token).update(`${side}\0${nonces.host}\0${nonces.client}`).digest('hex');
}

export function isProof(proof: unknown, side: 'host' | 'client', token: string, nonces: Nonces): boolean {
  return typeof proof === 'string' && sameText(proof, proofOf(side, token, nonces));
}
