import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ScramVerifier } from '../interface/engine.ts';
import type { ScramHash } from './scram-hash.ts';

/** This file implements the server side of SCRAM (RFC 5802, section 3) without channel binding. */

/** The message is malformed, or the proof is wrong. The client does not learn which of these is the case. */
export class ScramFailure extends Error {
  override readonly name = 'ScramFailure';
}

export interface ClientFirst {
  readonly username: string;
  readonly nonce: string;
  /** The GS2 header, `n,,` or `n,a=NAME,`. */
  readonly gs2Header: string;
  readonly bare: string;
}

export function parseClientFirst(payload: Uint8Array): ClientFirst {
  const text = Buffer.from(payload).toString();
  const match = /^([ny],(?:a=[^,]*)?,)(n=([^,]+),r=([\x21-\x2b\x2d-\x7e]+))$/.exec(text);
  if (match === null) throw new ScramFailure('client-first-message is malformed');
  const [, gs2Header = '', bare = '', name = '', nonce = ''] = match;
  return { username: decodeName(name), nonce, gs2Header, bare };
}

/**
 * Decodes a name, in which `=2C` is a comma and `=3D` an equals sign. Any other `=` is an error (RFC 5802, section
 * 5.1).
 */
function decodeName(name: string): string {
  if (/=(?!2C|3D)/.test(name)) throw new ScramFailure('username is malformed');
  return name.replaceAll('=2C', ',').replaceAll('=3D', '=');
}

export interface ScramExchange {
  /** The server-first-message. */
  readonly serverFirst: Buffer;
  /** Verifies the client-final-message and returns the server-final-message. Throws `ScramFailure`. */
  finish(clientFinal: Uint8Array): Buffer;
}

/** Creates the server side of a conversation. `serverNonce` must consist of printable ASCII without commas. */
export function scramExchange(
  hash: ScramHash,
  first: ClientFirst,
  verifier: ScramVerifier,
  serverNonce: string,
): ScramExchange {
  const nonce = first.nonce + serverNonce;
  const serverFirst = `r=${nonce},s=${verifier.salt},i=${verifier.iterations}`;
  return {
    serverFirst: Buffer.from(serverFirst),
    finish(clientFinal) {
      const text = Buffer.from(clientFinal).toString();
      const match = /^(c=([^,]+),r=([^,]+)),p=([^,]+)$/.exec(text);
      if (match === null) throw new ScramFailure('client-final-message is malformed');
      const [, withoutProof = '', binding = '', echoedNonce = '', proof = ''] = match;
      if (Buffer.from(binding, 'base64').toString() !== first.gs2Header || echoedNonce !== nonce) {
        throw new ScramFailure('client-final-message does not belong to this exchange');
      }
      const authMessage = `${first.bare},${serverFirst},${withoutProof}`;
      checkProof(hash, verifier, authMessage, Buffer.from(proof, 'base64'));
      const serverKey = Buffer.from(verifier.serverKey, 'base64');
      return Buffer.from(`v=${createHmac(hash, serverKey).update(authMessage).digest('base64')}`);
    },
  };
}

/** Checks that ClientProof = ClientKey XOR HMAC(StoredKey, AuthMessage), where the hash of ClientKey is StoredKey. */
function checkProof(hash: ScramHash, verifier: ScramVerifier, authMessage: string, proof: Buffer): void {
  const storedKey = Buffer.from(verifier.storedKey, 'base64');
  const signature = createHmac(hash, storedKey).update(authMessage).digest();
  if (proof.length !== signature.length) throw new ScramFailure('proof has the wrong length');
  const clientKey = proof.map((byte, i) => byte ^ (signature[i] as number));
  const actual = createHash(hash).update(clientKey).digest();
  if (!timingSafeEqual(actual, storedKey)) throw new ScramFailure('proof does not match');
}
