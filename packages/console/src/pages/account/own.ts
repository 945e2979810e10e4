import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { Method } from '../../api/operations.ts';
import { intervalOf } from '../../api/pace.ts';
import { refresh } from '../../api/resources.ts';

/** Reads a document about the person who is logged in, below `console/`. */
export function useOwn<T>(path: string) {
  return useQuery({
    queryKey: ['own', path],
    queryFn: () => send<T>('GET', `console/${path}`),
    // Some changes, such as a login in another browser, cause no event, so the data is reloaded at intervals.
    refetchInterval: intervalOf(path, false),
  });
}

interface OwnChange {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

/** Changes the person's own account. */
export function useOwnChange<T = unknown>(onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: OwnChange) => send<T>(method, `console/${path}`, body),
    onSuccess: async () => {
      onDone?.();
      await refresh(queries);
    },
  });
}
