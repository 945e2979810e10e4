import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

/** Commands for the databases of a cluster (docs/console.md). Documents are Extended JSON. */

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

/** A database of a cluster; `path` is that of the cluster. */
export interface DatabasePlace {
  readonly path: string;
  readonly database: string;
}

async function run({ path, database }: DatabasePlace, command: Document): Promise<Answer> {
  const answer = await call<Answer>('POST', `${path}/commands`, { database, command });
  const [problem] = answer.reply.writeErrors ?? [];
  if (problem !== undefined) throw new Error(problem.errmsg);
  return answer;
}

/** The answer to a command that reads. Without a command, nothing is read; in another turn, it is read again. */
export function useCommand(place: DatabasePlace, command: Document | undefined, turn = 0) {
  return useQuery({
    queryKey: ['once', place.path, place.database, command, turn],
    queryFn: () => run(place, command ?? {}),
    enabled: command !== undefined,
    staleTime: 0,
  });
}

/** Runs a command that writes. */
export function useWrite(place: DatabasePlace, onDone: (answer: Answer) => void) {
  return useMutation({ mutationFn: (command: Document) => run(place, command), onSuccess: onDone });
}

export const documentsOf = (answer: Answer | undefined): readonly Document[] | undefined =>
  answer?.reply.cursor?.firstBatch;
