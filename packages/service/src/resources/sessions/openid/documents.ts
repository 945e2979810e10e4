import type { GuardedFetch } from '@portolan/foundation/outgoing/guarded-fetch';
import { JsonScan } from '../../../api/http/json-scan.ts';

/** The limits of a provider's metadata, and of its keys. Those of known providers are ten times smaller. */
const MAX_BYTES = 65_536;
const MAX_VALUES = 2_000;
const MAX_DEPTH = 16;

/**
 * Returns a function that gets documents that are kept in memory. It rejects a document that takes much memory: 256 KiB
 * can contain 85,000 objects, which take 5 MB, and their copies 50 ms.
 */
export function boundedDocuments(fetch: GuardedFetch): GuardedFetch {
  return async (url, sent) => {
    const response = await fetch(url, sent);
    const { status, headers } = response;
    const bytes = await response.bytes();
    if (bytes.length > MAX_BYTES) throw new Error(`the document has more than ${MAX_BYTES} bytes`);
    try {
      new JsonScan({ bodyDepth: MAX_DEPTH, bodyValues: MAX_VALUES }).add(bytes);
    } catch {
      throw new Error(`the document has more than ${MAX_VALUES} values or ${MAX_DEPTH} levels`);
    }
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  };
}
