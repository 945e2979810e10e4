import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import type { Served } from '../../api/operations.ts';
import { intervalOf } from '../../api/pace.ts';

/** Reads a document about the person who is logged in. */
export function useOwn<const Path extends string>(path: Path & Served<'console', 'GET', Path>) {
  return useQuery({
    queryKey: ['own', path],
    queryFn: () => read<'console', Path>('console', path),
    // Some changes, such as a login in another browser, cause no event, so the data is reloaded at intervals.
    refetchInterval: intervalOf(path, false),
  });
}
