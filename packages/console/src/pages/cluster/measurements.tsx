import { Gallery } from '@patternfly/react-core';
import { useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { type Cluster, type GroupPath, useDocument } from '../../api/resources.ts';
import { Chart } from '../../parts/chart.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useProcesses } from '../../parts/processes.tsx';
import { SelectField } from '../../parts/select-field.tsx';

type Measurement = NonNullable<Schemas['Measurements']['measurements']>[number];

/** Periods with the granularity of their points. */
const periods: Readonly<Record<string, readonly [period: string, granularity: string]>> = {
  'Last hour': ['PT1H', 'PT1M'],
  'Last eight hours': ['PT8H', 'PT5M'],
  'Last day': ['P1D', 'PT5M'],
  'Last week': ['P7D', 'PT1H'],
};

/** A chart: title, unit, and the measurements with their names in the chart. */
type ChartOf = readonly [string, string, Readonly<Record<string, string>>];

/** The charts of clusters of all sizes. The service returns at most ten measurements per request. */
const common: readonly ChartOf[] = [
  [
    'Operations',
    'per second',
    {
      OPCOUNTER_QUERY: 'query',
      OPCOUNTER_INSERT: 'insert',
      OPCOUNTER_UPDATE: 'update',
      OPCOUNTER_DELETE: 'delete',
      OPCOUNTER_CMD: 'command',
    },
  ],
  ['Connections', '', { CONNECTIONS: 'open' }],
  ['Network', 'bytes per second', { NETWORK_BYTES_IN: 'in', NETWORK_BYTES_OUT: 'out' }],
];

/** The charts of clusters that share no nodes with others. */
const dedicated: readonly ChartOf[] = [
  [
    'Time per operation',
    'ms',
    {
      OP_EXECUTION_TIME_READS: 'read',
      OP_EXECUTION_TIME_WRITES: 'write',
      OP_EXECUTION_TIME_COMMANDS: 'command',
    },
  ],
  [
    'Documents examined per returned document',
    '',
    { QUERY_TARGETING_SCANNED_OBJECTS_PER_RETURNED: 'examined' },
  ],
  [
    'Data',
    'bytes',
    { DB_DATA_SIZE_TOTAL: 'data', DB_INDEX_SIZE_TOTAL: 'indexes', DB_STORAGE_TOTAL: 'storage' },
  ],
  ['Processor', '%', { PROCESS_CPU_USER: 'user', PROCESS_CPU_KERNEL: 'kernel' }],
  ['Memory', 'MB', { MEMORY_RESIDENT: 'resident' }],
];

interface MeasurementsProps {
  readonly groupId: string;
  readonly cluster: Cluster;
}

/** Measurements of one process of a cluster. */
export function Measurements({ groupId, cluster }: MeasurementsProps) {
  const { processes = [], error } = useProcesses(groupId, cluster);
  const [chosen, setChosen] = useState<string>();
  const [period, setPeriod] = useState('Last hour');
  const nameOf = (id: string) => {
    const found = processes.find((one) => one.id === id);
    return `${found?.userAlias ?? id} (${found?.typeName ?? ''})`;
  };
  const primary = processes.find(({ typeName }) => typeName.includes('PRIMARY'));
  const id = chosen ?? (primary ?? processes[0])?.id;
  if (id === undefined) return <Problem error={error} />;
  return (
    <>
      <Gallery hasGutter minWidths={{ default: '16rem' }}>
        <SelectField
          id="process"
          label="Process"
          value={nameOf(id)}
          options={processes.map((one) => nameOf(one.id))}
          onChange={(name) => setChosen(processes.find((one) => nameOf(one.id) === name)?.id)}
        />
        <SelectField
          id="period"
          label="Period"
          value={period}
          options={Object.keys(periods)}
          onChange={setPeriod}
        />
      </Gallery>
      <Gallery hasGutter minWidths={{ default: 'min(100%, 26rem)' }}>
        {[common, dedicated].map((charts) => (
          <Charts
            key={charts[0]?.[0]}
            charts={charts}
            path={`/groups/${groupId}/processes/${encodeURIComponent(id)}`}
            period={period}
          />
        ))}
      </Gallery>
    </>
  );
}

const SECOND_MS = 1000;

interface ChartsProps {
  readonly charts: readonly ChartOf[];
  /** The path of the process. */
  readonly path: `${GroupPath}/processes/${string}`;
  readonly period: string;
}

/** Reads the measurements of several charts with one request, since the service limits the number of these requests. */
function Charts({ charts, path, period }: ChartsProps) {
  const [length, granularity] = periods[period] ?? ['PT1H', 'PT1M'];
  const asked = charts.flatMap(([, , names]) => Object.keys(names)).map((name) => `&m=${name}`);
  const address =
    `${path}/measurements?granularity=${granularity}&period=${length}${asked.join('')}` as const;
  const { data, error } = useDocument(address);
  if (data === undefined) return <Problem error={error} />;
  const byName = new Map(data.measurements?.map((one) => [one.name, one.dataPoints]));
  return charts.map(([title, unit, names]) => (
    <MeasuredChart key={title} title={title} unit={unit} names={names} byName={byName} />
  ));
}

interface MeasuredChartProps {
  readonly title: string;
  readonly unit: string;
  /** Maps measurements to their names in the chart. */
  readonly names: Readonly<Record<string, string>>;
  readonly byName: ReadonlyMap<string, Measurement['dataPoints']>;
}

function MeasuredChart({ title, unit, names, byName }: MeasuredChartProps) {
  const pointsOf = (name: string) => byName.get(name) ?? [];
  const points = pointsOf(Object.keys(names)[0] ?? '');
  return (
    <Chart
      title={title}
      unit={unit}
      times={points.map(({ timestamp }) => Date.parse(timestamp) / SECOND_MS)}
      series={Object.entries(names).map(([name, shown]) => ({
        name: shown,
        values: pointsOf(name).map(({ value }) => value),
      }))}
    />
  );
}
