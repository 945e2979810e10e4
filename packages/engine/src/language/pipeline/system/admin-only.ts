import { ServerError } from '../../../errors/server-error.ts';
import type { PipelineEnvironment } from '../pipeline-environment.ts';

/** Throws unless the database of the command is `admin`. */
export function onlyAdmin(stage: string, { namespace }: PipelineEnvironment): void {
  if (namespace.database === 'admin') return;
  throw new ServerError(
    'InvalidNamespace',
    `${stage} must be run against the 'admin' database with {aggregate: 1}`,
  );
}
