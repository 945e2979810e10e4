import type { ReadTx } from '../../../store/index.ts';
import type { Finding } from '../lifecycle/changes.ts';

/** A source of findings about states in the service's database. `look` returns the findings of all projects. */
export interface StateSource {
  readonly eventTypes: readonly string[];
  look(tx: ReadTx): Promise<Finding[]>;
}
