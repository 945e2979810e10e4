import { Double, deserialize, serialize } from 'bson';
import { readInt32 } from '../bson/bytes.ts';

/** Errors by which a member says that it is not, or not for long, what the driver takes it for. */
const stateChanges: ReadonlySet<number> = new Set([
  91, // ShutdownInProgress
  189, // PrimarySteppedDown
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);

/** Errors are short, and begin with `ok: 0.0`: a type byte, three bytes of a name, and eight that are zero. */
const MOST_BYTES = 2_048;
const FAILED = Buffer.of(1, 0x6f, 0x6b, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/** Whether an answer is one of these errors; costs the others next to nothing. */
export function tellsStateChange(document: Uint8Array): boolean {
  if (document[4] !== FAILED[0] || readInt32(document, 0) > MOST_BYTES) return false;
  if (Buffer.compare(document.subarray(4, 4 + FAILED.length), FAILED) !== 0) return false;
  return stateChanges.has(Number(deserialize(document).code));
}

/** The answer with the version of the topology in which it was given, so that a driver tells what is newer than what it knows. */
export function withTopologyVersion(document: Uint8Array, topologyVersion: object): Uint8Array {
  const answer = deserialize(document, { promoteValues: false });
  return serialize({ ...answer, ok: new Double(0), topologyVersion });
}
