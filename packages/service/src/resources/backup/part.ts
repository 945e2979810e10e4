import type { AnyOperation } from '../../api/operation.ts';
import type { Family } from '../family.ts';
import type { Services } from '../services.ts';

/**
 * What one folder adds to the backup family. Each element of `operations` is a whole module whose exports are
 * operations.
 */
export interface Part
  extends Pick<Family, 'parameters' | 'tasks' | 'mounts' | 'hooks' | 'eventTypes' | 'faults'> {
  readonly operations?: ReadonlyArray<Readonly<Record<string, AnyOperation<Services>>>>;
}
