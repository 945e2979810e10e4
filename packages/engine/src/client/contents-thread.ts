import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { freeMemory } from '@portolan/foundation/free-memory';
import { CopiedCluster } from '../backup/copied.ts';
import { stageSnapshot } from '../backup/stage.ts';
import { extendedJsonLines } from '../bson/extended-json.ts';
import { lowerPriority } from '../host/low-priority.ts';
import { type Piece, type PieceRequest, receivePieces, reply, replyFailure } from '../host/rpc-worker.ts';
import type {
  CollectionDigest,
  DocumentBatch,
  SnapshotCollection,
  SnapshotShare,
} from '../interface/snapshot.ts';
import { FILE_NAME } from '../storage/file/format.ts';

/**
 * This file is the thread that reads one snapshot. `snapshot-contents.ts` starts it, sends it the snapshot in pieces,
 * and then sends requests. The thread replies to each request.
 */

/** The folder for the copy, and the key if the snapshot is encrypted. The copy is encrypted with the same key. */
export interface ContentsRequest {
  readonly folder: string;
  readonly key: Uint8Array | undefined;
}

type Named = Pick<SnapshotCollection, 'database' | 'name'>;

export type ContentsInput =
  | Piece
  | { readonly sharesOf: Named }
  | {
      readonly documentsOf: Named;
      readonly shard: string | undefined;
      readonly reader: number;
      readonly asLines: boolean;
    }
  | { readonly nextOf: number }
  | { readonly endOf: number };

export type ContentsOutput =
  | PieceRequest
  | { readonly collections: readonly SnapshotCollection[]; readonly digests: readonly CollectionDigest[] }
  | { readonly shares: readonly SnapshotShare[] }
  | { readonly batch: DocumentBatch | undefined };

const encoder = new TextEncoder();

/**
 * Converts documents to text in this thread, because the conversion takes longer than reading. In the thread that
 * serves the API, it would block other requests.
 */
function* linesOf(batches: Iterable<DocumentBatch>): Generator<DocumentBatch> {
  for (const { documents, bytes } of batches) {
    const text = encoder.encode(extendedJsonLines(bytes));
    freeMemory(bytes);
    yield { documents, bytes: text };
  }
}

function answerRequests(port: MessagePort, copy: CopiedCluster): void {
  const readers = new Map<number, Generator<DocumentBatch>>();
  const next = (reader: number): DocumentBatch | undefined => {
    const { value, done } = readers.get(reader)?.next() ?? { done: true, value: undefined };
    if (!done) return value;
    readers.delete(reader);
    return undefined;
  };
  const read = (input: ContentsInput): ContentsOutput => {
    if ('sharesOf' in input) return { shares: copy.shares(input.sharesOf) };
    if ('documentsOf' in input) {
      const batches = copy.documents(input.documentsOf, input.shard);
      readers.set(input.reader, input.asLines ? linesOf(batches) : batches);
    }
    if ('endOf' in input) {
      readers.get(input.endOf)?.return(undefined);
      readers.delete(input.endOf);
    }
    return { batch: 'nextOf' in input ? next(input.nextOf) : undefined };
  };
  port.on('message', (input: ContentsInput) => {
    try {
      const output = read(input);
      const bytes = 'batch' in output ? output.batch?.bytes.buffer : undefined;
      reply(output, bytes instanceof ArrayBuffer ? [bytes] : []);
    } catch (error) {
      replyFailure(error);
    }
  });
}

lowerPriority();
const { folder, key } = workerData as ContentsRequest;
if (parentPort !== null) {
  const port = parentPort;
  stageSnapshot(join(folder, FILE_NAME), receivePieces(port), { from: key, into: key })
    .then(({ collections: digests }) => {
      const copy = new CopiedCluster(folder, key);
      answerRequests(port, copy);
      reply({ collections: copy.collections(), digests } satisfies ContentsOutput);
    })
    .catch(replyFailure);
}
