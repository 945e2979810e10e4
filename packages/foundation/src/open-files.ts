import { readFileSync } from 'node:fs';

/**
 * Number of descriptors that are reserved for files, threads and processes: a quarter of the limit, within these
 * bounds.
 */
const RESERVED = { share: 4, least: 64, most: 512 };

/** Returns the maximum number of open files and connections of this process, or infinity if it is unknown. */
export function openFileLimit(): number {
  const soft = process.platform === 'linux' ? limitOfLinux() : limitOfReport();
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY;
}

/** Reads the limit from `/proc` in 0.1 ms. A diagnostic report would take 10 to 70 ms. */
function limitOfLinux(): number | undefined {
  const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return soft === undefined ? undefined : Number(soft);
}

function limitOfReport(): unknown {
  // Exclude the network. Otherwise the report would resolve the names of network peers, and that takes long.
  Object.assign(process.report, { excludeNetwork: true });
  const report: { readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } } } =
    process.report.getReport();
  return report.userLimits?.open_files?.soft;
}

/** Returns the maximum number of connections that leaves the reserved descriptors free. */
export function connectionsWithin(limit: number): number {
  const { share, least, most } = RESERVED;
  return Math.max(1, limit - Math.min(most, Math.max(least, Math.floor(limit / share))));
}
