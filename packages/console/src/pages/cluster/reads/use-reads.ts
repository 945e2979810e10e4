import { machineClock } from '@portolan/foundation/clock';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../../api/client.ts';
import { run } from '../../../api/commands.ts';
import type { Cluster, ClusterPath } from '../../../api/resources.ts';
import { clusterPath } from '../../../parts/cluster-choice.tsx';
import { useProcesses } from '../../../parts/processes.tsx';
import { emptyLog, type Read, type ReadLog, restarted, withPrimaries, withRead } from './read-log.ts';

const clock = machineClock();

/** The pause between the starts of two reads. A read that takes longer delays the next one. */
const READ_MS = 500;
/**
 * Interval at which the page lists the members. It is shorter than on other pages, so that the page notices
 * the time of an election more exactly.
 */
const PROCESSES_MS = 1000;
/** How long the page continues to read after the outage or the failover, or after the person has started the reads. */
const AFTERWARDS_MS = 60_000;

const DATABASE = 'test';
/** A read that only a primary answers. The collection need not exist, because the result is then empty. */
const READ = { find: 'portolan.failover', limit: 1, maxTimeMS: 2000 };

/** HTTP statuses of requests that would fail even without an outage, for example because the person may not read. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);

const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && (FINAL_STATUSES.has(error.status) || error.code === 'NOT_SUPPORTED_BY_ENGINE');

/** Sends one read. Throws only errors after which further reads are useless. */
async function readOnce(path: ClusterPath): Promise<Read> {
  const start = clock.now();
  try {
    await run({ path, database: DATABASE }, READ, true);
    return { start, end: clock.now() };
  } catch (error) {
    if (isFinal(error)) throw error;
    return { start, end: clock.now(), error: (error as Error).message };
  }
}

/** Returns the members that are primaries, by name. Undefined until the processes are loaded. */
function usePrimaries(groupId: string, cluster: Cluster, isReading: boolean): readonly string[] | undefined {
  const { processes } = useProcesses(groupId, cluster, isReading ? PROCESSES_MS : undefined);
  return processes
    ?.filter(({ typeName }) => typeName.endsWith('_PRIMARY'))
    .map(({ userAlias, hostname, port }) => userAlias ?? `${hostname}:${port}`)
    .toSorted();
}

/**
 * Reads from the primary of a cluster every half second: while `isDisturbed`, and for a minute after it or after
 * `start`. The reads end when the component is removed.
 */
export function useReads(groupId: string, cluster: Cluster, isDisturbed: boolean) {
  const path = clusterPath(groupId, cluster.name);
  const [isReading, setReading] = useState(false);
  const [log, setLog] = useState<ReadLog>(emptyLog);
  const lastDisturbance = useRef(0);
  const disturbed = useRef(isDisturbed);
  disturbed.current = isDisturbed;
  const start = () => {
    lastDisturbance.current = clock.now();
    setLog(restarted);
    setReading(true);
  };
  const names = usePrimaries(groupId, cluster, isReading)?.join('\n');
  useEffect(() => {
    if (names !== undefined)
      setLog((now) => withPrimaries(now, names.split('\n').filter(Boolean), clock.now()));
  }, [names]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new disturbance starts the reads
  useEffect(() => {
    if (isDisturbed && !isReading) start();
  }, [isDisturbed]);
  const { data: read, error } = useQuery({
    queryKey: ['once', 'reads', path],
    queryFn: () => readOnce(path),
    enabled: isReading,
    refetchInterval: ({ state }) => (state.status === 'error' ? false : READ_MS),
    // The page also reads while it is hidden. Otherwise, the time in which it was hidden could count as failed reads.
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  useEffect(() => {
    if (read === undefined) return;
    setLog((now) => withRead(now, read));
    if (disturbed.current) lastDisturbance.current = read.end;
    else if (read.end - lastDisturbance.current > AFTERWARDS_MS) setReading(false);
  }, [read]);
  useEffect(() => {
    if (error !== null) setReading(false);
  }, [error]);
  return { log, isReading, error, start, stop: () => setReading(false) };
}
