import type { Topic } from '../../../store/index.ts';
import type { ConfigurationRow } from './rows.ts';

/** Published when a configuration is replaced, enabled, disabled or deleted. After a deletion, `after` is undefined. */
export const configurationChanged: Topic<{
  readonly before: ConfigurationRow;
  readonly after: ConfigurationRow | undefined;
}> = { name: 'alert configuration changed' };
