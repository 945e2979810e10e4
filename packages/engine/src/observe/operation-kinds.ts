/** Kinds of operations, as the reference server tells them apart; each place where it does has names of its own. */
export type OperationKind = 'query' | 'getmore' | 'insert' | 'update' | 'remove' | 'bulk' | 'command';

/** Counters of `serverStatus.opcounters`. */
type OperationCounter = 'insert' | 'query' | 'update' | 'delete' | 'getmore' | 'command';

/** Events of `top`. */
export const usageEvents = ['queries', 'getmore', 'insert', 'update', 'remove', 'commands'] as const;
export type UsageEvent = (typeof usageEvents)[number];

interface KindOfOperation {
  /** In `currentOp` and in profiles. */
  readonly op: 'query' | 'getmore' | 'insert' | 'update' | 'remove' | 'command';
  readonly counter: OperationCounter;
  readonly usage: UsageEvent;
  /** The argument whose entries are counted one by one; without it a command counts as one. */
  readonly statements: 'documents' | 'updates' | 'deletes' | undefined;
}

export const operationKinds: Readonly<Record<OperationKind, KindOfOperation>> = {
  query: { op: 'query', counter: 'query', usage: 'queries', statements: undefined },
  getmore: { op: 'getmore', counter: 'getmore', usage: 'getmore', statements: undefined },
  insert: { op: 'insert', counter: 'insert', usage: 'insert', statements: 'documents' },
  update: { op: 'update', counter: 'update', usage: 'update', statements: 'updates' },
  remove: { op: 'remove', counter: 'delete', usage: 'remove', statements: 'deletes' },
  bulk: { op: 'command', counter: 'command', usage: 'commands', statements: undefined },
  command: { op: 'command', counter: 'command', usage: 'commands', statements: undefined },
};
