import { readFileSync, statSync } from 'node:fs';
import { availableParallelism, freemem, totalmem } from 'node:os';
import type { MachineFigures, MemberSample, ProcessorUse } from '../interface/engine.ts';

/**
 * This file reads statistics of the machine from Linux's `/proc` (proc(5)). They cover the whole machine even if the
 * host runs in a container. On other systems, a value is null if Node.js does not provide it.
 */

/** The part of a sample that is the same for all deployments of a host. */
export interface HostSample extends Pick<MemberSample, 'time' | 'taken' | 'memory' | 'machine'> {
  /** Free bytes on the disk. */
  readonly free: number;
  readonly total: number;
}

/** The kinds of CPU time in the order of `/proc/stat`, which counts in ticks of 1/100 s (USER_HZ). */
const USES: readonly ProcessorUse[] = [
  'user',
  'nice',
  'kernel',
  'idle',
  'iowait',
  'irq',
  'softirq',
  'steal',
  'guest',
];
const TICK_MS = 10;
const KIB = 1024;
/** The page size on x86. `/proc/vmstat` counts swapped pages of this size. */
const PAGE = 4 * KIB;
/** The sector size in `/proc/diskstats`, which does not depend on the disk. */
const SECTOR = 512;

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

const numbersOf = (line: string): number[] => line.trim().split(/\s+/).map(Number);

/** Returns the number after a name at the start of a line. */
function named(text: string, name: string): number {
  return Number(new RegExp(`^${name}:?\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

/** Reads the statistics. `directory` is the data directory, which selects the disk. */
export function machineFigures(directory: string): MachineFigures {
  return {
    processors: availableParallelism(),
    processor: processorOf(textOf('/proc/stat')),
    ...memoryOf(textOf('/proc/meminfo'), textOf('/proc/vmstat')),
    network: networkOf(textOf('/proc/net/dev')),
    pageFaults: process.resourceUsage().majorPageFault,
    disk: diskOf(textOf('/proc/diskstats'), deviceOf(directory)),
  };
}

export function processMemory(): MemberSample['memory'] {
  const { rss, heapTotal, external } = process.memoryUsage();
  const status = textOf('/proc/self/status');
  const virtual = status === undefined ? heapTotal + external : named(status, 'VmSize') * KIB;
  return { resident: rss, virtual: Math.max(rss, virtual) };
}

function processorOf(stat: string | undefined): MachineFigures['processor'] {
  const line = stat === undefined ? undefined : /^cpu +(.*)$/m.exec(stat)?.[1];
  if (line === undefined) return null;
  const ticks = numbersOf(line);
  const entries = USES.map((use, place) => [use, (ticks[place] ?? 0) * TICK_MS]);
  return Object.fromEntries(entries) as Record<ProcessorUse, number>;
}

function memoryOf(
  meminfo: string | undefined,
  vmstat: string | undefined,
): Pick<MachineFigures, 'memory' | 'swap'> {
  if (meminfo === undefined) {
    const free = freemem();
    return { memory: { total: totalmem(), free, available: free }, swap: null };
  }
  const bytes = (name: string) => named(meminfo, name) * KIB;
  const moved = (name: string) => (vmstat === undefined ? 0 : named(vmstat, name) * PAGE);
  return {
    memory: { total: bytes('MemTotal'), free: bytes('MemFree'), available: bytes('MemAvailable') },
    swap: {
      ...{ total: bytes('SwapTotal'), free: bytes('SwapFree') },
      ...{ in: moved('pswpin'), out: moved('pswpout') },
    },
  };
}

/**
 * Adds up the traffic of all network interfaces except `lo`. In a line of `/proc/net/dev`, field 1 after the name
 * contains the number of received bytes, and field 9 the number of sent bytes.
 */
function networkOf(dev: string | undefined): MachineFigures['network'] {
  if (dev === undefined) return null;
  const sums = { in: 0, out: 0 };
  for (const [, name, fields = ''] of dev.matchAll(/^\s*([^:\s]+):(.*)$/gm)) {
    if (name === 'lo') continue;
    const numbers = numbersOf(fields);
    sums.in += numbers[0] ?? 0;
    sums.out += numbers[8] ?? 0;
  }
  return sums;
}

function deviceOf(directory: string): string | undefined {
  const device = statSync(directory, { throwIfNoEntry: false })?.dev;
  if (device === undefined) return undefined;
  // Splits the device number of a disk into its major and minor number, the inverse of makedev(3).
  return `${(device >> 8) & 0xfff} ${(device & 0xff) | ((device >> 12) & 0xfff00)}`;
}

/**
 * Returns the figures of a device. A line of `diskstats` contains the numbers and the name of a device, then: reads,
 * merged reads, sectors read, milliseconds spent reading; the same four for writes; requests in progress, milliseconds
 * with requests in progress, and weighted milliseconds.
 */
function diskOf(diskstats: string | undefined, device: string | undefined): MachineFigures['disk'] {
  if (diskstats === undefined || device === undefined) return null;
  for (const line of diskstats.split('\n')) {
    const [major, minor, , ...fields] = line.trim().split(/\s+/);
    if (`${major} ${minor}` !== device) continue;
    const [reads = 0, , sectorsRead = 0, readMillis = 0, writes = 0, , sectorsWritten = 0, writeMillis = 0] =
      fields.map(Number);
    return {
      ...{ reads, writes, readMillis, writeMillis },
      bytesRead: sectorsRead * SECTOR,
      bytesWritten: sectorsWritten * SECTOR,
      queueMillis: Number(fields[10] ?? 0),
    };
  }
  return null;
}
