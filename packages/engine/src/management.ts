import { EngineUnavailable } from './client/errors.ts';
import type { StartHost } from './client/supervisor.ts';
import type { HostThreads } from './host/host.ts';

/** The engine for services that manage clusters: its interface, and the embedded engine. */

export { scramCredentials, UnusablePassword } from './access/scram.ts';
export { CHUNK_BYTES, unpackChunk } from './backup/chunks.ts';
export { countValues } from './bson/count-values.ts';
export { extendedJsonLines, plainJsonOf, shortestJsonOf } from './bson/extended-json.ts';
export { fromExtendedJson } from './bson/from-extended-json.ts';
export { JsonInTurns } from './bson/json-in-turns.ts';
export { RawDocument } from './bson/raw.ts';
export { checkAuditFilter } from './client/audit-filters.ts';
export { createEmbeddedEngine, type EmbeddedEngine } from './client/engine.ts';
export { EngineError, EngineUnavailable } from './client/errors.ts';
export { attachEngine, type RemoteEngine } from './client/remote-engine.ts';
export { openSnapshot } from './client/snapshot-contents.ts';
export type { StartHost } from './client/supervisor.ts';
export { clustersDirectory, readHostFile } from './control/host-file.ts';
export { RpcWorker, reply, replyFailure } from './host/rpc-worker.ts';
export type { Engine } from './interface/calls.ts';
export type * from './interface/engine.ts';
export { isCollectionName, isDatabaseName, isTooLong } from './interface/namespaces.ts';
export {
  encodeOplogFrame,
  type OplogMark,
  type OplogPosition,
  type OplogSegment,
  oplogFramesOf,
  type SentSegment,
} from './interface/oplog.ts';
export * from './interface/search/index.ts';
export {
  type CollectionDigest,
  type DocumentBatch,
  encodeFrame,
  framesOf,
  type Replay,
  type SnapshotCollection,
  type SnapshotContents,
} from './interface/snapshot.ts';

type Preview = typeof import('./search/analysis/preview.ts');

/** Returns the tokens that an analyzer creates from a text. Loads the code of the analyzers on first use. */
export async function tokensOf(...args: Parameters<Preview['tokensOf']>): ReturnType<Preview['tokensOf']> {
  return (await import('./search/analysis/preview.ts')).tokensOf(...args);
}

/** Starts engine hosts in this process, so that they end with it. The first start loads their code. */
export function hostsWithin(threads: HostThreads): StartHost {
  return async (settings) => {
    const [{ startHost }, { AlreadyRunning }] = await Promise.all([
      import('./host/host.ts'),
      import('./host/lock.ts'),
    ]);
    try {
      await startHost(settings, threads);
      return true;
    } catch (error) {
      if (error instanceof AlreadyRunning) return false;
      throw new EngineUnavailable(`the engine host did not start: ${(error as Error).message}`);
    }
  };
}
