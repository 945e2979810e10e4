import { parentPort, workerData } from 'node:worker_threads';
import type { Validation } from './schema.ts';
import { type Access, type DirectoryServer, verifyDirectory } from './verify.ts';

/** This file is the thread that verifies one LDAP server. `verify-in-thread.ts` starts it. */

export interface VerifyRequest {
  readonly server: DirectoryServer;
  readonly access: Access;
}

export interface Verified {
  readonly results: readonly Validation[];
}

const { server, access } = workerData as VerifyRequest;
const results = await verifyDirectory(server, access);
parentPort?.postMessage({ results } satisfies Verified);
