import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { machineClock } from '@portolan/foundation/clock';
import { collectionOfThread, IDLE_MS } from '@portolan/foundation/idle-collection';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import { returnMemory } from '@portolan/foundation/trim-memory';
import { SAMPLE_MS } from '../observe/observation.ts';
import type { NodeRequest } from '../search/nodes/messages.ts';
import { SearchNode } from '../search/nodes/search-node.ts';
import { type ThreadFigures, threadMemory } from './thread-figures.ts';

/** This file is a search node: a thread that runs the searches of a single cluster. `search-nodes.ts` starts it. */

export interface SearchNodeFiles {
  readonly dir: string;
  readonly key: Uint8Array | undefined;
}

export type SearchNodeInput =
  /** Connects one of the cluster's query threads, whose searches arrive on this port. */
  | { readonly connect: MessagePort }
  /** Requests the message `figures`, which the thread also sends periodically. */
  | { readonly report: true }
  /** Closes the search node. The thread replies with `closed`. */
  | { readonly close: true };

export type SearchNodeOutput = { readonly closed: true } | { readonly figures: ThreadFigures };

const { dir, key } = workerData as SearchNodeFiles;
const node = new SearchNode(dir, key);
const machine = machineClock();
const collection = collectionOfThread(machine, returnMemory);

function answer(output: SearchNodeOutput): void {
  parentPort?.postMessage(output);
}

function report(): void {
  const { user, system } = process.threadCpuUsage();
  answer({ figures: { processor: { user, kernel: system }, memory: threadMemory() } });
}

repeat({ machine, run: report, interval: SAMPLE_MS, onError: rethrow });
repeat({ machine, run: () => node.releaseUnused(), interval: IDLE_MS, onError: rethrow });

parentPort?.on('message', (input: SearchNodeInput) => {
  if ('connect' in input) {
    const { connect: port } = input;
    const take = node.session((answer) => {
      port.postMessage(answer, 'error' in answer ? [] : [answer.found.buffer as ArrayBuffer]);
    });
    port.on('message', (request: NodeRequest) => {
      collection.touch();
      take(request);
    });
    return;
  }
  if ('report' in input) {
    report();
    return;
  }
  node.close();
  answer({ closed: true });
});
