/**
 * This file lists the regions of the cloud providers: the contract's `regionName`, the provider's own name,
 * the location, and whether they offer shared-tier clusters.
 */
export type Provider = 'AWS' | 'AZURE' | 'GCP';

export const providers: readonly Provider[] = ['AWS', 'AZURE', 'GCP'];

export interface Region {
  readonly name: string;
  readonly nativeName: string;
  readonly location: string;
  readonly sharedTier: boolean;
  /**
   * Whether volumes can have extended IOPS. At AZURE, this depends on the region, and no list of these regions is
   * published. AZURE introduced extended IOPS in regions with availability zones, so the service assumes that all these
   * regions offer them.
   */
  readonly extendedIops: boolean;
  /**
   * Whether lists of available regions contain the region. False for government, Chinese and pseudo regions, which
   * requests may use nevertheless.
   */
  readonly generallyOffered: boolean;
}

export const defaultRegion: Readonly<Record<Provider, string>> = {
  AWS: 'US_EAST_1',
  AZURE: 'US_WEST_2',
  GCP: 'CENTRAL_US',
};

/** `s`: offers shared-tier clusters; `n`: not generally offered; `z`: offers extended IOPS. */
type Row = readonly [name: string, nativeName: string, location: string, marks?: 's' | 'n' | 'z' | 'sz'];

const rows: Readonly<Record<Provider, readonly Row[]>> = {
  AWS: [
    ['US_EAST_1', 'us-east-1', 'N. Virginia', 's'],
    ['US_EAST_2', 'us-east-2', 'Ohio'],
    ['US_WEST_1', 'us-west-1', 'N. California'],
    ['US_WEST_2', 'us-west-2', 'Oregon', 's'],
    ['CA_CENTRAL_1', 'ca-central-1', 'Montreal'],
    ['CA_WEST_1', 'ca-west-1', 'Calgary'],
    ['MX_CENTRAL_1', 'mx-central-1', 'Queretaro'],
    ['SA_EAST_1', 'sa-east-1', 'Sao Paulo', 's'],
    ['EU_WEST_1', 'eu-west-1', 'Ireland', 's'],
    ['EU_WEST_2', 'eu-west-2', 'London'],
    ['EU_WEST_3', 'eu-west-3', 'Paris', 's'],
    ['EU_CENTRAL_1', 'eu-central-1', 'Frankfurt', 's'],
    ['EU_CENTRAL_2', 'eu-central-2', 'Zurich'],
    ['EU_NORTH_1', 'eu-north-1', 'Stockholm', 's'],
    ['EU_SOUTH_1', 'eu-south-1', 'Milan'],
    ['EU_SOUTH_2', 'eu-south-2', 'Spain'],
    ['ME_SOUTH_1', 'me-south-1', 'Bahrain', 's'],
    ['ME_CENTRAL_1', 'me-central-1', 'UAE'],
    ['IL_CENTRAL_1', 'il-central-1', 'Tel Aviv'],
    ['AF_SOUTH_1', 'af-south-1', 'Cape Town', 's'],
    ['AP_EAST_1', 'ap-east-1', 'Hong Kong', 's'],
    ['AP_EAST_2', 'ap-east-2', 'Taiwan'],
    ['AP_NORTHEAST_1', 'ap-northeast-1', 'Tokyo', 's'],
    ['AP_NORTHEAST_2', 'ap-northeast-2', 'Seoul', 's'],
    ['AP_NORTHEAST_3', 'ap-northeast-3', 'Osaka'],
    ['AP_SOUTHEAST_1', 'ap-southeast-1', 'Singapore', 's'],
    ['AP_SOUTHEAST_2', 'ap-southeast-2', 'Sydney', 's'],
    ['AP_SOUTHEAST_3', 'ap-southeast-3', 'Jakarta'],
    ['AP_SOUTHEAST_4', 'ap-southeast-4', 'Melbourne'],
    ['AP_SOUTHEAST_5', 'ap-southeast-5', 'Malaysia'],
    ['AP_SOUTHEAST_6', 'ap-southeast-6', 'Auckland'],
    ['AP_SOUTHEAST_7', 'ap-southeast-7', 'Thailand'],
    ['AP_SOUTH_1', 'ap-south-1', 'Mumbai', 's'],
    ['AP_SOUTH_2', 'ap-south-2', 'Hyderabad'],
    ['US_GOV_WEST_1', 'us-gov-west-1', 'US government, west', 'n'],
    ['US_GOV_EAST_1', 'us-gov-east-1', 'US government, east', 'n'],
    ['CN_NORTH_1', 'cn-north-1', 'Beijing', 'n'],
    ['CN_NORTHWEST_1', 'cn-northwest-1', 'Ningxia', 'n'],
    ['GLOBAL', '', 'pseudo-region in the enumeration', 'n'],
  ],
  AZURE: [
    ['US_CENTRAL', 'centralus', 'Iowa', 'z'],
    ['US_EAST', 'eastus', 'Virginia', 'z'],
    ['US_EAST_2', 'eastus2', 'Virginia', 'sz'],
    ['US_NORTH_CENTRAL', 'northcentralus', 'Illinois'],
    ['US_WEST', 'westus', 'California', 's'],
    ['US_WEST_2', 'westus2', 'Washington', 'z'],
    ['US_WEST_3', 'westus3', 'Arizona', 'z'],
    ['US_WEST_CENTRAL', 'westcentralus', 'Wyoming'],
    ['US_SOUTH_CENTRAL', 'southcentralus', 'Texas', 'z'],
    ['BRAZIL_SOUTH', 'brazilsouth', 'Sao Paulo', 'z'],
    ['BRAZIL_SOUTHEAST', 'brazilsoutheast', 'Rio de Janeiro'],
    ['CANADA_EAST', 'canadaeast', 'Quebec'],
    ['CANADA_CENTRAL', 'canadacentral', 'Toronto', 'sz'],
    ['CHILE_CENTRAL', 'chilecentral', 'Santiago', 'sz'],
    ['MEXICO_CENTRAL', 'mexicocentral', 'Queretaro', 'z'],
    ['EUROPE_NORTH', 'northeurope', 'Ireland', 'sz'],
    ['EUROPE_WEST', 'westeurope', 'Netherlands', 'sz'],
    ['UK_SOUTH', 'uksouth', 'London', 'z'],
    ['UK_WEST', 'ukwest', 'Cardiff'],
    ['FRANCE_CENTRAL', 'francecentral', 'Paris', 'z'],
    ['FRANCE_SOUTH', 'francesouth', 'Marseille'],
    ['ITALY_NORTH', 'italynorth', 'Milan'],
    ['GERMANY_WEST_CENTRAL', 'germanywestcentral', 'Frankfurt', 'z'],
    ['GERMANY_NORTH', 'germanynorth', 'Berlin'],
    ['POLAND_CENTRAL', 'polandcentral', 'Warsaw', 'z'],
    ['SWITZERLAND_NORTH', 'switzerlandnorth', 'Zurich', 'z'],
    ['SWITZERLAND_WEST', 'switzerlandwest', 'Geneva'],
    ['NORWAY_EAST', 'norwayeast', 'Oslo', 'z'],
    ['NORWAY_WEST', 'norwaywest', 'Stavanger'],
    ['SWEDEN_CENTRAL', 'swedencentral', 'Gavle', 'z'],
    ['SWEDEN_SOUTH', 'swedensouth', 'Malmo'],
    ['SPAIN_CENTRAL', 'spaincentral', 'Madrid', 'z'],
    ['ASIA_EAST', 'eastasia', 'Hong Kong', 'sz'],
    ['ASIA_SOUTH_EAST', 'southeastasia', 'Singapore', 'z'],
    ['AUSTRALIA_CENTRAL', 'australiacentral', 'Canberra'],
    ['AUSTRALIA_CENTRAL_2', 'australiacentral2', 'Canberra'],
    ['AUSTRALIA_EAST', 'australiaeast', 'New South Wales', 'z'],
    ['AUSTRALIA_SOUTH_EAST', 'australiasoutheast', 'Victoria'],
    ['INDIA_CENTRAL', 'centralindia', 'Pune', 'sz'],
    ['INDIA_SOUTH', 'southindia', 'Chennai'],
    ['INDIA_WEST', 'westindia', 'Mumbai'],
    ['INDONESIA_CENTRAL', 'indonesiacentral', 'Jakarta', 'sz'],
    ['JAPAN_EAST', 'japaneast', 'Tokyo', 'z'],
    ['JAPAN_WEST', 'japanwest', 'Osaka'],
    ['KOREA_CENTRAL', 'koreacentral', 'Seoul', 'z'],
    ['KOREA_SOUTH', 'koreasouth', 'Busan'],
    ['MALAYSIA_WEST', 'malaysiawest', 'Kuala Lumpur', 'sz'],
    ['NEW_ZEALAND_NORTH', 'newzealandnorth', 'Auckland', 'z'],
    ['SOUTH_AFRICA_NORTH', 'southafricanorth', 'Johannesburg', 'z'],
    ['SOUTH_AFRICA_WEST', 'southafricawest', 'Cape Town'],
    ['UAE_NORTH', 'uaenorth', 'Dubai', 'z'],
    ['UAE_CENTRAL', 'uaecentral', 'Abu Dhabi'],
    ['QATAR_CENTRAL', 'qatarcentral', 'Doha', 'z'],
    ['ISRAEL_CENTRAL', 'israelcentral', 'Israel', 'z'],
    ['CHINA_EAST', 'chinaeast', 'Shanghai', 'n'],
    ['CHINA_NORTH', 'chinanorth', 'Beijing', 'n'],
  ],
  GCP: [
    ['CENTRAL_US', 'us-central1', 'Iowa', 's'],
    ['EASTERN_US', 'us-east1', 'South Carolina'],
    ['US_EAST_4', 'us-east4', 'N. Virginia'],
    ['US_EAST_5', 'us-east5', 'Columbus'],
    ['WESTERN_US', 'us-west1', 'Oregon'],
    ['US_WEST_2', 'us-west2', 'Los Angeles'],
    ['US_WEST_3', 'us-west3', 'Salt Lake City'],
    ['US_WEST_4', 'us-west4', 'Las Vegas'],
    ['US_SOUTH_1', 'us-south1', 'Dallas'],
    ['NORTH_AMERICA_NORTHEAST_1', 'northamerica-northeast1', 'Montreal'],
    ['NORTH_AMERICA_NORTHEAST_2', 'northamerica-northeast2', 'Toronto'],
    ['NORTH_AMERICA_SOUTH_1', 'northamerica-south1', 'Queretaro'],
    ['SOUTH_AMERICA_EAST_1', 'southamerica-east1', 'Sao Paulo', 's'],
    ['SOUTH_AMERICA_WEST_1', 'southamerica-west1', 'Santiago'],
    ['WESTERN_EUROPE', 'europe-west1', 'Belgium', 's'],
    ['EUROPE_NORTH_1', 'europe-north1', 'Finland'],
    ['EUROPE_WEST_2', 'europe-west2', 'London'],
    ['EUROPE_WEST_3', 'europe-west3', 'Frankfurt'],
    ['EUROPE_WEST_4', 'europe-west4', 'Netherlands'],
    ['EUROPE_WEST_6', 'europe-west6', 'Zurich'],
    ['EUROPE_WEST_8', 'europe-west8', 'Milan'],
    ['EUROPE_WEST_9', 'europe-west9', 'Paris'],
    ['EUROPE_WEST_10', 'europe-west10', 'Berlin'],
    ['EUROPE_WEST_12', 'europe-west12', 'Turin'],
    ['EUROPE_SOUTHWEST_1', 'europe-southwest1', 'Madrid'],
    ['EUROPE_CENTRAL_2', 'europe-central2', 'Warsaw'],
    ['MIDDLE_EAST_WEST_1', 'me-west1', 'Tel Aviv'],
    ['MIDDLE_EAST_CENTRAL_1', 'me-central1', 'Doha'],
    ['MIDDLE_EAST_CENTRAL_2', 'me-central2', 'Dammam'],
    ['AFRICA_SOUTH_1', 'africa-south1', 'Johannesburg'],
    ['EASTERN_ASIA_PACIFIC', 'asia-east1', 'Taiwan', 's'],
    ['ASIA_EAST_2', 'asia-east2', 'Hong Kong'],
    ['NORTHEASTERN_ASIA_PACIFIC', 'asia-northeast1', 'Tokyo', 's'],
    ['ASIA_NORTHEAST_2', 'asia-northeast2', 'Osaka'],
    ['ASIA_NORTHEAST_3', 'asia-northeast3', 'Seoul', 's'],
    ['SOUTHEASTERN_ASIA_PACIFIC', 'asia-southeast1', 'Singapore', 's'],
    ['ASIA_SOUTHEAST_2', 'asia-southeast2', 'Jakarta', 's'],
    ['ASIA_SOUTH_1', 'asia-south1', 'Mumbai', 's'],
    ['ASIA_SOUTH_2', 'asia-south2', 'Delhi'],
    ['AUSTRALIA_SOUTHEAST_1', 'australia-southeast1', 'Sydney'],
    ['AUSTRALIA_SOUTHEAST_2', 'australia-southeast2', 'Melbourne'],
  ],
};

export const regions: Readonly<Record<Provider, ReadonlyMap<string, Region>>> = {
  AWS: regionsOf('AWS'),
  AZURE: regionsOf('AZURE'),
  GCP: regionsOf('GCP'),
};

function regionsOf(provider: Provider): ReadonlyMap<string, Region> {
  return new Map(
    rows[provider].map(([name, nativeName, location, marks = '']) => [
      name,
      {
        name,
        nativeName,
        location,
        sharedTier: marks.includes('s'),
        extendedIops: marks.includes('z'),
        generallyOffered: marks !== 'n',
      },
    ]),
  );
}

export function isRegion(provider: Provider, region: string): boolean {
  return regions[provider].has(region);
}

/** Returns the provider's own name of a region. */
export function nativeRegionName(provider: Provider, region: string): string {
  return regions[provider].get(region)?.nativeName ?? region;
}

/** Returns the contract's name of a region. `text` is either this name or the provider's own name. */
export function regionNamed(provider: Provider, text: string): string | undefined {
  if (isRegion(provider, text)) return text;
  return [...regions[provider].values()].find(({ nativeName }) => nativeName === text)?.name;
}
