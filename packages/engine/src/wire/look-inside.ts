import { bsonTypes } from '../bson/bson-types.ts';
import { RawDocument } from '../bson/raw.ts';
import { int64Of } from '../bson/value.ts';

/** Longer requests carry documents, and ask for nothing that only their connection's side knows. */
const LOOKED_THROUGH_BYTES = 65_536;

/** Whether an answer names a cursor that is still open. */
export function hasMore(reply: Uint8Array): boolean {
  const id = new RawDocument(reply).document('cursor')?.get('id');
  return id?.type === bsonTypes.long && int64Of(id) !== 0n;
}

/** Whether a command tells what its connection's side knows: of the member, or of each of its connections. */
export function asksForTraffic(name: string, sections: Uint8Array): 'member' | 'connections' | undefined {
  if (name === 'serverStatus') return 'member';
  const tells = name === 'currentOp' || (name === 'aggregate' && mentions(sections, '$currentOp'));
  return tells ? 'connections' : undefined;
}

function mentions(bytes: Uint8Array, text: string): boolean {
  if (bytes.length > LOOKED_THROUGH_BYTES) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text);
}
