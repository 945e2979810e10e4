/** An outage of a region, and what it means for a cluster. */
export interface Outage {
  readonly region: string;
  /** The number of electable nodes in the region, and in all regions. */
  readonly electable: number;
  readonly all: number;
  /** Whether each shard has more than half of its electable nodes during the outage, so that it can elect a primary. */
  readonly isSurvived: boolean;
}

/** The nodes of a cluster: for each zone, the regions with their electable nodes. */
interface Nodes {
  readonly replicationSpecs?: readonly {
    readonly regionsConfig?: Readonly<Record<string, { readonly electableNodes?: number }>>;
  }[];
}

/** Returns the outage of each region of a cluster. */
export function outagesOf({ replicationSpecs = [] }: Nodes): readonly Outage[] {
  const zones = replicationSpecs.map(({ regionsConfig = {} }) =>
    Object.entries(regionsConfig).map(([region, { electableNodes = 0 }]) => ({ region, electableNodes })),
  );
  const regions = new Set(zones.flat().map(({ region }) => region));
  return [...regions].map((region) => {
    const lost = zones.map((zone) => ({
      electable: sum(zone.filter((one) => one.region === region)),
      all: sum(zone),
    }));
    return {
      region,
      electable: lost.reduce((total, { electable }) => total + electable, 0),
      all: lost.reduce((total, { all }) => total + all, 0),
      isSurvived: lost.every(({ electable, all }) => 2 * electable < all),
    };
  });
}

const sum = (regions: readonly { readonly electableNodes: number }[]): number =>
  regions.reduce((total, { electableNodes }) => total + electableNodes, 0);
