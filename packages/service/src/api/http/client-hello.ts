const RECORD_HEAD = 5;
const MESSAGE_HEAD = 4;
const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
/** Clients send about 2 KB. */
const MAX_BYTES = 16 * 1024;

/**
 * True if the bytes contain the whole first message of a TLS client (RFC 8446 4.1.2), possibly in several records, or
 * if they cannot be such a message.
 */
export function isWholeHello(bytes: Buffer): boolean {
  const head: number[] = [];
  let received = 0;
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] !== HANDSHAKE || bytes.length > MAX_BYTES) return true;
    if (bytes.length < at + RECORD_HEAD) return false;
    const content = bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + bytes.readUInt16BE(at + 3));
    head.push(...content.subarray(0, MESSAGE_HEAD - head.length));
    received += content.length;
    at += RECORD_HEAD + bytes.readUInt16BE(at + 3);
    if (head[0] !== undefined && head[0] !== CLIENT_HELLO) return true;
    if (head.length === MESSAGE_HEAD && received >= MESSAGE_HEAD + Buffer.from(head).readUIntBE(1, 3))
      return true;
  }
  return false;
}
