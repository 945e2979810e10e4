import { RpcWorker } from '@portolan/engine/management';
import { entryPoint } from '@portolan/foundation/entry-point';
import type { Validation } from './schema.ts';
import type { Verified, VerifyRequest } from './verify-thread.ts';

const ENTRY = entryPoint(import.meta.filename, './verify-thread');
const LIMITS = { maxOldGenerationSizeMb: 64 };

/**
 * Verifies an LDAP server in a thread. The caller chooses the certificate authority and the server, and so the chain of
 * certificates. OpenSSL verifies the signatures of a chain without a pause, which can take half a second.
 */
export async function verifyInThread(request: VerifyRequest): Promise<readonly Validation[]> {
  const thread = new RpcWorker<never, Verified>(ENTRY, request, LIMITS);
  try {
    const { results } = await thread.reply();
    return results;
  } finally {
    await thread.end('the verification has ended');
  }
}
