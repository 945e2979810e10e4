import type { KubernetesObject, WatchHandlers } from '../engine/port.ts';

/** Creates a resource of a cluster with some fields. */
export function cluster(
  namespace: string,
  name: string,
  spec: object = {},
  finalizers: readonly string[] = [],
  labels: Readonly<Record<string, string>> = {},
): KubernetesObject {
  return {
    ...{ apiVersion: 'psmdb.percona.com/v1', kind: 'PerconaServerMongoDB' },
    metadata: {
      ...{ name, namespace },
      ...(finalizers.length > 0 && { finalizers }),
      ...(Object.keys(labels).length > 0 && { labels }),
    },
    spec: { image: 'percona/percona-server-mongodb:8.0.19-7', ...spec },
  };
}

interface Refusal {
  readonly code?: number;
  readonly reason?: string;
  readonly message: string;
}

/** Returns the error of a request that must fail. */
export async function rejection(request: Promise<unknown>): Promise<Refusal> {
  try {
    await request;
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('the request has not failed');
}

/** Collects what a watch reports. */
export class Seen implements WatchHandlers {
  readonly all: string[] = [];
  #look = () => {};

  changed({ metadata }: KubernetesObject): void {
    this.#add(`${metadata?.name} ${metadata?.generation}`);
  }

  gone({ metadata }: KubernetesObject): void {
    this.#add(`gone ${metadata?.name}`);
  }

  lost(): void {
    // Report consecutive failures once. A watch is attempted again and again while the API does not respond.
    if (this.all.at(-1) !== 'lost') this.#add('lost');
  }

  connected(): void {
    this.#add('connected');
  }

  /** Resolves when the last entries are these. */
  async reaches(last: readonly string[]): Promise<void> {
    const isReached = () => last.every((one, index) => this.all.at(index - last.length) === one);
    while (!isReached()) {
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }

  #add(entry: string): void {
    this.all.push(entry);
    this.#look();
  }
}
