import type { WireUser } from '../access/caller.ts';
import { RawDocument } from '../bson/raw.ts';
import { checkClusterTime } from '../commands/generic/cluster-time.ts';
import { checkApi, readGenericFields } from '../commands/generic/generic-fields.ts';
import { checkReadConcern } from '../commands/generic/read-concern.ts';
import { readWriteConcern } from '../commands/generic/write-concern.ts';
import { positionOfParts } from '../storage/oplog/position.ts';
import type { LastWrite } from '../worker/protocol.ts';

interface Sender {
  readonly user: WireUser | undefined;
  /** The service time (see `docs/glossary.md`), in milliseconds since 1970. */
  readonly now: number;
  readonly lastWrite: LastWrite | undefined;
}

/**
 * Checks the arguments that all commands have, for a command that a connection thread runs. Like the server, ignores
 * the session of these commands, because they need no login. Throws if an argument is invalid.
 */
export function checkGenericArguments(
  command: { readonly name: string; readonly stableApi: boolean },
  bytes: Uint8Array,
  { user, now, lastWrite }: Sender,
): void {
  const body = new RawDocument(bytes);
  const given = readGenericFields(body, command.name);
  const facts = { ...command, unstableFields: [], readConcern: 'local', writeConcern: false } as const;
  const last = lastWrite === undefined ? 0 : positionOfParts(lastWrite);
  checkClusterTime(given.$clusterTime, user === undefined ? {} : { user }, { last, now });
  checkApi(facts, given, body);
  checkReadConcern(facts, given.readConcern, false);
  readWriteConcern(facts, given.writeConcern, []);
}
