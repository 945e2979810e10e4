import type { ReadTx } from '../../../store/index.ts';
import type { Finding } from '../lifecycle/changes.ts';

/** States that the database tells: who looks finds out how things are for every project that they concern. */
export interface StateSource {
  readonly eventTypes: readonly string[];
  look(tx: ReadTx): Promise<Finding[]>;
}
