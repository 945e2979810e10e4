import { type OpMsg, type OpQuery, parseMessage } from '../message/codec.ts';
import { type Expanded, expand, isCompressed } from './compressed.ts';
import type { Compressor } from './compression.ts';

/** A message of a client. */
export interface Incoming {
  readonly message: OpMsg | OpQuery;
  /** The compressor of the message; absent if it was not compressed. */
  readonly compressor?: Compressor;
}

/**
 * Decompresses and parses a message, which has at most `limit` bytes without compression. Returns a promise if this
 * takes long. Throws or rejects with `MalformedMessage`.
 */
export function readIncoming(bytes: Buffer, limit: number): Incoming | Promise<Incoming> {
  if (!isCompressed(bytes)) return parsed(bytes);
  const expanded = expand(bytes, limit);
  const parse = ({ bytes: content, compressor }: Expanded) => parsed(content, compressor);
  return expanded instanceof Promise ? expanded.then(parse) : parse(expanded);
}

function parsed(bytes: Uint8Array, compressor?: Compressor): Incoming | Promise<Incoming> {
  const message = parseMessage(bytes);
  const withCompressor = (whole: OpMsg | OpQuery) => ({
    message: whole,
    ...(compressor === undefined ? {} : { compressor }),
  });
  return message instanceof Promise ? message.then(withCompressor) : withCompressor(message);
}
