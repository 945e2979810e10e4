/** The kinds of operations. The reports of the server use different names for them. */
export type OperationKind = 'query' | 'getmore' | 'insert' | 'update' | 'remove' | 'bulk' | 'command';

/** The counters in `serverStatus.opcounters`. */
type OperationCounter = 'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command';

/** The event names in `top`. */
export const usageEvents = ['queries', 'getmore', 'insert', 'update', 'remove', 'commands'] as const;
export type UsageEvent = (typeof usageEvents)[number];

interface OperationNames {
  /** The name in `currentOp` and in the entries of the profiler. */
  readonly op: 'query' | 'getmore' | 'insert' | 'update' | 'remove' | 'command';
  readonly counter: OperationCounter;
  readonly usage: UsageEvent;
  /** The argument whose entries are counted one by one. If undefined, each command counts as one operation. */
  readonly statements: 'documents' | 'updates' | 'deletes' | undefined;
}

export const operationKinds: Readonly<Record<OperationKind, OperationNames>> = {
  query: { op: 'query', counter: 'query', usage: 'queries', statements: undefined },
  getmore: { op: 'getmore', counter: 'getmore', usage: 'getmore', statements: undefined },
  insert: { op: 'insert', counter: 'insert', usage: 'insert', statements: 'documents' },
  update: { op: 'update', counter: 'update', usage: 'update', statements: 'updates' },
  remove: { op: 'remove', counter: 'delete', usage: 'remove', statements: 'deletes' },
  bulk: { op: 'command', counter: 'command', usage: 'commands', statements: undefined },
  command: { op: 'command', counter: 'command', usage: 'commands', statements: undefined },
};
