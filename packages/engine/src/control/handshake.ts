import { createHmac } from 'node:crypto';
import { sameText } from '@portolan/foundation/secret-box';

export const NONCE_BYTES = 24;

export interface Nonces {
  readonly host: string;
  readonly client: string;
}

/** Shows that one side holds the token without sending it; the side is part of it, so none can be sent back. */
export function proofOf(side: 'host' | 'client', token: string, nonces: Nonces): string {
  return createHmac('sha256', token).update(`${side}\0${nonces.host}\0${nonces.client}`).digest('hex');
}

export function isProof(proof: unknown, side: 'host' | 'client', token: string, nonces: Nonces): boolean {
  return typeof proof === 'string' && sameText(proof, proofOf(side, token, nonces));
}
