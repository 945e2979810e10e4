import type { AnyOperation } from '../../api/operation.ts';
import type { Family } from '../family.ts';
import type { Services } from '../services.ts';

/** The contribution of one folder to the family. Operations are passed as whole modules. */
export interface Part
  extends Pick<Family, 'parameters' | 'tasks' | 'mounts' | 'hooks' | 'eventTypes' | 'faults'> {
  readonly operations?: ReadonlyArray<Readonly<Record<string, AnyOperation<Services>>>>;
}
