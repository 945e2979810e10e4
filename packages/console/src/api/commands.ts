import { stringifyInOrder } from '@portolan/foundation/ordered-json';
import { useMutation, useQuery } from '@tanstack/react-query';
import { sendInOrder } from './client.ts';
import { apiRequest } from './requests.ts';
import type { ClusterPath } from './resources.ts';

/** Runs commands on the databases of a cluster (docs/console.md). Documents are in Extended JSON. */

export type Document = Readonly<Record<string, unknown>>;

interface Reply {
  readonly [field: string]: unknown;
  readonly n?: number;
  readonly cursor?: { readonly firstBatch: readonly Document[] };
  readonly writeErrors?: readonly { readonly errmsg: string }[];
}

export interface Answer {
  readonly isCut: boolean;
  readonly reply: Reply;
}

/** A database, and the path of its cluster. */
export interface DatabasePlace {
  readonly path: ClusterPath;
  readonly database: string;
}

/**
 * Sends a command once. Throws if the service or the database rejects it. `isBackground` says whether the page sends
 * the command on its own.
 */
export async function run(
  { path, database }: DatabasePlace,
  command: Document,
  isBackground = false,
): Promise<Answer> {
  const body = { database, command };
  const answer: Answer = await sendInOrder(apiRequest('POST', `${path}/commands`, body), isBackground);
  const [problem] = answer.reply.writeErrors ?? [];
  if (problem !== undefined) throw new Error(problem.errmsg);
  return answer;
}

/**
 * Sends a command that only reads, and returns its reply. Sends nothing if `command` is undefined. `turn` is a counter:
 * if the caller increases it, the command is sent again.
 */
export function useCommand(place: DatabasePlace, command: Document | undefined, turn = 0) {
  return useQuery({
    // The order of fields matters in a command, but React Query ignores it when it compares keys. So the key contains
    // the command as text.
    queryKey: ['once', place.path, place.database, command && stringifyInOrder(command), turn],
    queryFn: () => run(place, command ?? {}),
    enabled: command !== undefined,
    staleTime: 0,
    // Do not cache the reply. Otherwise, a dialog that is opened again would first show an outdated document, and could
    // save it.
    gcTime: 0,
  });
}

/** Runs a command that writes. */
export function useWrite(place: DatabasePlace, onDone: (answer: Answer) => void) {
  return useMutation({ mutationFn: (command: Document) => run(place, command), onSuccess: onDone });
}

export const documentsOf = (answer: Answer | undefined): readonly Document[] | undefined =>
  answer?.reply.cursor?.firstBatch;
