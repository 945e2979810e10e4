import { bsonTypes } from '../bson/bson-types.ts';
import { RawDocument } from '../bson/raw.ts';
import { int64Of } from '../bson/value.ts';

/**
 * Maximum size of a request that is searched, in bytes. A larger request contains documents and does not ask for
 * connection statistics.
 */
const SEARCHED_BYTES = 65_536;

/** True if the reply has an open cursor. */
export function hasMore(reply: Uint8Array): boolean {
  const id = new RawDocument(reply).document('cursor')?.get('id');
  return id?.type === bsonTypes.long && int64Of(id) !== 0n;
}

/** Returns which statistics of this thread a command reports: the statistics of the member, or of each connection. */
export function trafficScope(name: string, sections: Uint8Array): 'member' | 'connections' | undefined {
  if (name === 'serverStatus') return 'member';
  const listsConnections = name === 'currentOp' || (name === 'aggregate' && mentions(sections, '$currentOp'));
  return listsConnections ? 'connections' : undefined;
}

function mentions(bytes: Uint8Array, text: string): boolean {
  if (bytes.length > SEARCHED_BYTES) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text);
}
