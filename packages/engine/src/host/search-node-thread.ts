import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { machineClock } from '@portolan/foundation/clock';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import { SAMPLE_MS } from '../observe/observation.ts';
import type { NodeRequest } from '../search/nodes/messages.ts';
import { SearchNode } from '../search/nodes/serving.ts';
import { type ThreadFigures, threadMemory } from './thread-figures.ts';

/** A thread that searches for one cluster: `search-nodes.ts` starts it. */

export interface SearchNodeFiles {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
}

export type SearchNodeInput =
  /** A query thread of the cluster asks on this port from here on. */
  | { readonly connect: MessagePort }
  /** Answered by `figures`, which are also told from time to time. */
  | { readonly tell: true }
  /** Answered by `closed`. */
  | { readonly close: true };

export type SearchNodeOutput = { readonly closed: true } | { readonly figures: ThreadFigures };

const { dir, key } = workerData as SearchNodeFiles;
const node = new SearchNode(dir, key);

function answer(output: SearchNodeOutput): void {
  parentPort?.postMessage(output);
}

function tell(): void {
  const { user, system } = process.threadCpuUsage();
  answer({ figures: { processor: { user, kernel: system }, memory: threadMemory() } });
}

repeat({ machine: machineClock(), run: tell, interval: SAMPLE_MS, onError: rethrow });

parentPort?.on('message', (input: SearchNodeInput) => {
  if ('connect' in input) {
    const { connect: port } = input;
    const take = node.session((answer) => {
      port.postMessage(answer, 'error' in answer ? [] : [answer.found.buffer as ArrayBuffer]);
    });
    port.on('message', (request: NodeRequest) => take(request));
    return;
  }
  if ('tell' in input) {
    tell();
    return;
  }
  node.close();
  answer({ closed: true });
});
