import { type Family, operationsIn } from '../family.ts';
import { collectMeasurements } from './collect.ts';
import { monitoringFaults } from './faults.ts';
import { migrations } from './migrations.ts';
import * as measurements from './operations/measurements.ts';
import * as processes from './operations/processes.ts';
import { scalingEvents } from './scaling/rules.ts';

export { allowanceOf } from './figures/allowance.ts';
export type { Allowance } from './figures/formulas.ts';
export { figureOf, reasonOf } from './figures/metrics.ts';
export { searchHardwareMetrics, searchStatusMetrics } from './figures/search.ts';
export { searchIndexMetrics } from './figures/search-indexes.ts';
export { type Units, units } from './figures/unmeasured.ts';
export { granularityNames } from './measured/granularity.ts';
export { sampledRounds } from './measured/rounds.ts';
export { requireDedicatedProcess } from './parts.ts';
export { measurementsOf, searchMeasurements, sumsIn } from './points.ts';
export { type Process, rangeOf } from './processes.ts';
export { type Range, readMetrics } from './rules.ts';
export { Measurement, measuredQuery, metricNames, rangeQuery } from './schema.ts';

export const family: Family = {
  name: 'monitoring',
  operations: operationsIn(processes, measurements),
  parameters: {
    processId: { description: 'Host and port of a node, such as `127.0.0.1:27100`.' },
    partitionName: { description: 'Name of the disk; always `data`.' },
  },
  migrations,
  eventTypes: scalingEvents,
  background: [collectMeasurements],
  faults: [monitoringFaults],
};
