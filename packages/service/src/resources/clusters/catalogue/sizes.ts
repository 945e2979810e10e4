import type { Provider } from './regions.ts';

/**
 * Instance sizes by cloud provider. The memory and the number of virtual CPUs per node are those that managed database
 * services publish. Disk limits follow from the contract: 10 to 4096 GB, and at most 50 times the memory.
 */
export interface InstanceSize {
  readonly name: string;
  readonly class: SizeClass;
  readonly ramGB: number;
  readonly vCPU: number;
  readonly defaultDiskGB: number;
  readonly minDiskGB: number;
  readonly maxDiskGB: number;
  /** Maximum number of connections per node. */
  readonly maxConnections: number;
  /** Whether the size is available in multi-cloud clusters. */
  readonly multiCloud: boolean;
}

/** `lowCpu`: half the CPUs of the general size with the same memory; `nvme`: local disks of fixed size. */
type SizeClass = 'tenant' | 'general' | 'lowCpu' | 'nvme';

const MIN_DISK_GB = 10;
const MAX_DISK_GB = 4096;
const MAX_DISK_PER_RAM = 50;

type Row = readonly [
  name: string,
  ramGB: number,
  vCPU: number,
  diskGB: number,
  connections: number,
  multiCloud?: 1,
];

/**
 * If no limit of connections is published for a size, the limit is that of the general size with the same number. For
 * example, the limit of `R40` would be that of `M40`.
 */
const rows: Readonly<Record<Provider, Readonly<Record<Exclude<SizeClass, 'tenant'>, readonly Row[]>>>> = {
  AWS: {
    general: [
      ['M10', 2, 2, 10, 1500, 1],
      ['M20', 4, 2, 20, 3000, 1],
      ['M30', 8, 2, 40, 3000, 1],
      ['M40', 16, 4, 80, 6000, 1],
      ['M50', 32, 8, 160, 16000, 1],
      ['M60', 64, 16, 320, 32000, 1],
      ['M80', 131, 32, 750, 96000, 1],
      ['M140', 192, 48, 1000, 96000],
      ['M200', 256, 64, 1500, 128000, 1],
      ['M300', 384, 96, 2000, 128000, 1],
    ],
    lowCpu: [
      ['R40', 16, 2, 80, 4000, 1],
      ['R50', 32, 4, 160, 16000, 1],
      ['R60', 64, 8, 320, 32000, 1],
      ['R80', 122, 16, 750, 96000, 1],
      ['R200', 256, 32, 1500, 128000, 1],
      ['R300', 384, 48, 2000, 128000, 1],
      ['R400', 488, 64, 3000, 128000, 1],
      ['R700', 768, 96, 4096, 128000],
    ],
    nvme: [
      ['M40_NVME', 15.25, 2, 380, 6000],
      ['M50_NVME', 30.5, 4, 760, 16000],
      ['M60_NVME', 61, 8, 1600, 32000],
      ['M80_NVME', 122, 16, 1600, 96000],
      ['M200_NVME', 244, 32, 3100, 128000],
      ['M400_NVME', 512, 64, 4000, 128000],
    ],
  },
  AZURE: {
    general: [
      ['M10', 2, 1, 10, 1500, 1],
      ['M20', 4, 2, 16, 3000, 1],
      ['M30', 8, 2, 32, 3000, 1],
      ['M40', 16, 4, 64, 6000, 1],
      ['M50', 32, 8, 128, 16000, 1],
      ['M60', 64, 16, 128, 32000, 1],
      ['M80', 128, 32, 256, 64000, 1],
      ['M200', 256, 64, 256, 128000, 1],
    ],
    lowCpu: [
      ['R40', 16, 2, 128, 6000, 1],
      ['R50', 32, 4, 128, 16000, 1],
      ['R60', 64, 8, 128, 32000, 1],
      ['R80', 128, 16, 256, 64000, 1],
      ['R200', 256, 32, 256, 128000, 1],
      ['R300', 384, 48, 512, 128000, 1],
      ['R400', 432, 64, 512, 128000, 1],
    ],
    nvme: [
      ['M60_NVME', 64, 8, 1600, 32000],
      ['M80_NVME', 128, 16, 1600, 64000],
      ['M200_NVME', 256, 32, 3100, 128000],
      ['M300_NVME', 384, 48, 3600, 128000],
      ['M400_NVME', 512, 64, 4000, 128000],
      ['M600_NVME', 640, 80, 4000, 128000],
    ],
  },
  GCP: {
    general: [
      ['M10', 1.7, 1, 10, 1500, 1],
      ['M20', 3.8, 1, 20, 3000, 1],
      ['M30', 8, 2, 40, 3000, 1],
      ['M40', 16, 4, 80, 6000, 1],
      ['M50', 32, 8, 160, 16000, 1],
      ['M60', 64, 16, 320, 32000, 1],
      ['M80', 128, 32, 750, 64000, 1],
      ['M140', 192, 48, 1000, 96000, 1],
      ['M200', 256, 64, 1500, 128000, 1],
      ['M250', 320, 80, 1750, 128000, 1],
      ['M300', 360, 96, 2000, 128000, 1],
      ['M400', 512, 128, 3000, 128000, 1],
    ],
    lowCpu: [
      ['R40', 16, 2, 80, 6000, 1],
      ['R50', 32, 4, 160, 16000, 1],
      ['R60', 64, 8, 320, 32000, 1],
      ['R80', 128, 16, 750, 64000, 1],
      ['R200', 256, 32, 1500, 128000, 1],
      ['R300', 384, 48, 2000, 128000, 1],
      ['R400', 512, 64, 3000, 128000, 1],
      ['R600', 640, 80, 4096, 128000, 1],
    ],
    nvme: [],
  },
};

/**
 * Sizes that some versions of the API list, but that the service does not offer. The service rejects clusters with
 * these sizes.
 */
export const namedOnly: Readonly<Record<Provider, readonly string[]>> = {
  AWS: ['M100'],
  AZURE: ['M90'],
  GCP: [],
};

/** Regions in which a size is not available. */
export const notOffered: Readonly<Record<Provider, Readonly<Record<string, readonly string[]>>>> = {
  AWS: { M140: ['AP_SOUTHEAST_2'], M300: ['AP_SOUTHEAST_2'] },
  AZURE: {},
  GCP: {
    M300: [
      'AUSTRALIA_SOUTHEAST_1',
      'EUROPE_WEST_3',
      'NORTHEASTERN_ASIA_PACIFIC',
      'SOUTH_AMERICA_EAST_1',
      'EUROPE_WEST_8',
      'EUROPE_WEST_9',
      'EUROPE_SOUTHWEST_1',
    ],
  },
};

/** The shared-tier sizes: fixed disk size, one region, always three nodes. */
export const tenantSizes: Readonly<Record<string, InstanceSize>> = Object.fromEntries(
  (
    [
      ['M0', 0.5],
      ['M2', 2],
      ['M5', 5],
    ] as const
  ).map(([name, diskGB]) => [
    name,
    {
      name,
      class: 'tenant',
      ramGB: 0,
      vCPU: 0,
      defaultDiskGB: diskGB,
      minDiskGB: diskGB,
      maxDiskGB: diskGB,
      maxConnections: 500,
      multiCloud: false,
    } satisfies InstanceSize,
  ]),
);

function size(
  sizeClass: SizeClass,
  [name, ramGB, vCPU, diskGB, maxConnections, multiCloud]: Row,
): InstanceSize {
  const fixed = sizeClass === 'nvme';
  return {
    name,
    class: sizeClass,
    ramGB,
    vCPU,
    defaultDiskGB: diskGB,
    minDiskGB: fixed ? diskGB : MIN_DISK_GB,
    maxDiskGB: fixed ? diskGB : Math.min(MAX_DISK_GB, Math.floor(ramGB * MAX_DISK_PER_RAM)),
    maxConnections,
    multiCloud: multiCloud === 1,
  };
}

function sizesOf(provider: Provider): ReadonlyMap<string, InstanceSize> {
  const classes = Object.entries(rows[provider]) as [SizeClass, readonly Row[]][];
  return new Map(classes.flatMap(([kind, list]) => list.map((row) => [row[0], size(kind, row)] as const)));
}

/** Returns the number in the name of a size such as `M30` or `R40_NVME`. */
export function sizeNumber(size: string): number {
  return Number(/\d+/.exec(size)?.[0] ?? 0);
}

export const instanceSizes: Readonly<Record<Provider, ReadonlyMap<string, InstanceSize>>> = {
  AWS: sizesOf('AWS'),
  AZURE: sizesOf('AZURE'),
  GCP: sizesOf('GCP'),
};

/** All size names, in the order of the providers. */
export const sizeNames: readonly string[] = [
  ...new Set([
    ...Object.keys(tenantSizes),
    ...Object.values(instanceSizes).flatMap((sizes) => [...sizes.keys()]),
  ]),
];
