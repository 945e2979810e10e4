/** The sizes of values of BSON types without a length (https://bsonspec.org/spec.html). */
const FIXED = new Map([
  ...[0x06, 0x0a, 0xff, 0x7f].map((type) => [type, 0] as const),
  ...[0x01, 0x09, 0x11, 0x12].map((type) => [type, 8] as const),
  ...[
    [0x07, 12],
    [0x08, 1],
    [0x10, 4],
    [0x13, 16],
  ].map(([type = 0, size = 0]) => [type, size] as const),
]);
/** The number of bytes of values with a length that the length does not count. */
const COUNTED = new Map([
  ...[0x02, 0x0d, 0x0e].map((type) => [type, 4] as const),
  [0x05, 5] as const,
  [0x0c, 16] as const,
]);
const [DOCUMENT, ARRAY, PATTERN, SCOPED_CODE] = [0x03, 0x04, 0x0b, 0x0f];
const LENGTH_BYTES = 4;

/**
 * Counts the values of a BSON document at all levels, up to `most + 1`. Takes about a tenth of the time of decoding. The
 * document can be malformed, and its values are then counted up to the error.
 */
export function countValues(document: Uint8Array, most: number): number {
  const view = new DataView(document.buffer, document.byteOffset, document.length);
  let [at, depth, count] = [LENGTH_BYTES, 1, 0];
  while (depth > 0 && at < document.length && count <= most) {
    const type = document[at++] as number;
    if (type === 0) {
      depth--;
      continue;
    }
    count++;
    at = afterText(document, at);
    if (type === PATTERN) at = afterText(document, afterText(document, at));
    else if (type === DOCUMENT || type === ARRAY) {
      depth++;
      at += LENGTH_BYTES;
    } else if (type === SCOPED_CODE) {
      depth++;
      // A length, the code with its length, and the length of the scope.
      at += LENGTH_BYTES + lengthAt(view, at + LENGTH_BYTES) + 2 * LENGTH_BYTES;
    } else {
      const size = FIXED.get(type) ?? lengthAt(view, at) + (COUNTED.get(type) ?? document.length);
      at += size;
    }
  }
  return count;
}

/** Returns the position after a text that ends with a zero. */
function afterText(document: Uint8Array, at: number): number {
  const end = document.indexOf(0, at);
  return end < 0 ? document.length : end + 1;
}

/** Returns a length. Returns a length beyond the document if there is none, so that counting ends. */
function lengthAt(view: DataView, at: number): number {
  const length = at + LENGTH_BYTES <= view.byteLength ? view.getInt32(at, true) : -1;
  return length < 0 ? view.byteLength : length;
}
