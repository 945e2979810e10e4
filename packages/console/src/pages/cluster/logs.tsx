import { Button, Gallery } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { download } from '../../api/client.ts';
import type { Cluster } from '../../api/resources.ts';
import { readServiceTime } from '../../api/session.ts';
import { Problem } from '../../parts/problem.tsx';
import { useProcesses } from '../../parts/processes.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { lastLines } from './log-lines.ts';

const periods: Readonly<Record<string, number>> = {
  'Last ten minutes': 600,
  'Last hour': 3600,
  'Last day': 86_400,
};

/** How many of the last lines are shown. */
const MAX_SHOWN = 500;

interface LogsProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

/** The logs of the processes of a cluster. Shows the last lines, and offers the whole log as a file. */
export function Logs({ groupId, cluster }: LogsProps) {
  const { processes = [], error } = useProcesses(groupId, cluster);
  const hosts = [...new Set(processes.map(({ hostname }) => hostname))];
  const [chosen, setHost] = useState<string>();
  const [kind, setKind] = useState('mongodb');
  const [period, setPeriod] = useState('Last hour');
  const [text, setText] = useState('');
  const host = chosen ?? hosts[0];
  const read = useLog({ groupId, host, kind }, period);
  const kinds: readonly (readonly [string, string])[] = [
    ['mongodb', 'Nodes'],
    ['mongodb-audit-log', 'Audit of nodes'],
    ...(cluster.clusterType === 'REPLICASET' ? [] : ([['mongos', 'Routers']] as const)),
  ];
  if (host === undefined)
    return error ? <Problem error={error} /> : <p>Logs are available while the cluster runs.</p>;
  return (
    <>
      <Gallery hasGutter>
        <SelectField id="host" label="Host" value={host} options={hosts} onChange={setHost} />
        <SelectField id="kind" label="Log" value={kind} options={kinds} onChange={setKind} />
        <SelectField
          id="period"
          label="Period"
          value={period}
          options={Object.keys(periods)}
          onChange={setPeriod}
        />
        <TextField id="text" label="Only lines that contain" value={text} onChange={setText} />
      </Gallery>
      <div className="gap buttons">
        <Button
          variant="secondary"
          className="beside"
          isLoading={read.isFetching}
          onClick={() => void read.refetch()}
        >
          Read again
        </Button>
        <Button
          variant="secondary"
          isDisabled={read.data === undefined}
          onClick={() => read.data && save(read.data.bytes, `${host}-${kind}.log.gz`)}
        >
          Download
        </Button>
      </div>
      <Problem error={read.error} />
      {read.data && <Lines lines={read.data.lines} text={text} />}
    </>
  );
}

interface LogPlace {
  readonly groupId: string;
  readonly host: string | undefined;
  readonly kind: string;
}

/** Reads a log. Does not reload it at intervals, since a log can be large. */
function useLog({ groupId, host, kind }: LogPlace, period: string) {
  return useQuery({
    queryKey: ['once', 'log', groupId, host, kind, period],
    queryFn: async () => {
      // The times in logs are service time.
      const start = Math.floor((await readServiceTime()) / 1000) - (periods[period] ?? 0);
      const bytes = await download(
        `/groups/${groupId}/clusters/${host ?? ''}/logs/${kind}.gz?startDate=${start}`,
      );
      return { bytes, lines: await lastLines(bytes, MAX_SHOWN) };
    },
    enabled: host !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function Lines({ lines, text }: { readonly lines: readonly string[]; readonly text: string }) {
  const shown = lines.filter((line) => line.toLowerCase().includes(text.toLowerCase()));
  if (shown.length === 0) return <p role="status">No lines found. Choose a longer period or another text.</p>;
  return (
    <>
      <p role="status">
        {shown.length} of the last {lines.length} lines, oldest first
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs the focus */}
      <section aria-label="Lines of the log" tabIndex={0} className="log">
        <pre className="code">{shown.join('\n')}</pre>
      </section>
    </>
  );
}

function save(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
