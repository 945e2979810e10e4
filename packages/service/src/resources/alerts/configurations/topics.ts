import type { Topic } from '../../../store/index.ts';
import type { ConfigurationRow } from './rows.ts';

/**
 * Published when a configuration is replaced, enabled, disabled or deleted; `after` is undefined once it is deleted.
 */
export const configurationChanged: Topic<{
  readonly before: ConfigurationRow;
  readonly after: ConfigurationRow | undefined;
}> = { name: 'alert configuration changed' };
