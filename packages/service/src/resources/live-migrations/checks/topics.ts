import type { Topic } from '../../../store/index.ts';

/** Published when the check of a migration has ended; `problem` is undefined if the migration is possible. */
export const migrationChecked: Topic<{ readonly migrationId: string; readonly problem: string | undefined }> =
  {
    name: 'live migration checked',
  };
