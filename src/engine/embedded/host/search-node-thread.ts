import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { NodeRequest } from '../search/nodes/messages.ts';
import { SearchNode } from '../search/nodes/serving.ts';

/** A thread that searches for one cluster: `search-nodes.ts` starts it. */

export interface SearchNodeFiles {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
}

export type SearchNodeInput =
  /** A query thread of the cluster asks on this port from here on. */
  | { readonly connect: MessagePort }
  /** Answered by `closed`. */
  | { readonly close: true };

export interface SearchNodeOutput {
  readonly closed: true;
}

const { dir, key } = workerData as SearchNodeFiles;
const node = new SearchNode(dir, key);

parentPort?.on('message', (input: SearchNodeInput) => {
  if ('connect' in input) {
    const { connect: port } = input;
    const take = node.session((answer) => {
      port.postMessage(answer, 'error' in answer ? [] : [answer.found.buffer as ArrayBuffer]);
    });
    port.on('message', (request: NodeRequest) => take(request));
    return;
  }
  node.close();
  parentPort?.postMessage({ closed: true } satisfies SearchNodeOutput);
});
