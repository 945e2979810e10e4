import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { HostSettings } from '../control/protocol.ts';
import type { Backups } from './backups.ts';
import type { ConnectionThreads } from './connection-threads.ts';
import type { FileChecks } from './file-checks.ts';
import type { FileKeys } from './file-keys.ts';
import type { Ports } from './ports.ts';
import type { QueryThreads } from './query-threads.ts';
import type { SearchThreads } from './search-threads.ts';

/** Objects that all deployments of a host share. */
export interface HostParts {
  readonly settings: HostSettings;
  readonly threads: ConnectionThreads;
  readonly queryThreads: QueryThreads;
  readonly ports: Ports;
  readonly backups: Backups;
  readonly fileKeys: FileKeys;
  /** The threads that update search indexes. If absent, search indexes are not updated. */
  readonly search?: SearchThreads;
  /** Checks files in the background. If absent, files are not checked. */
  readonly checks?: Pick<FileChecks, 'check'>;
  readonly clock: MachineClock;
  readonly log: Log;
  /** The service time (see `docs/glossary.md`) in milliseconds since 1970, for records and logs. */
  now(): number;
}
