/** The resources on which a role allows actions. */
export type ResourcePattern =
  | { readonly kind: 'cluster' }
  /** The cluster, and all databases and collections, including system collections. */
  | { readonly kind: 'anything' }
  /** All databases and collections except `local`, `config` and system collections. */
  | { readonly kind: 'anyNormal' }
  /** A database and its collections except system collections. */
  | { readonly kind: 'database'; readonly database: string }
  /** One collection. An empty `database` means the collections of that name in all databases. */
  | { readonly kind: 'collection'; readonly database: string; readonly collection: string }
  /**
   * The collection `system.buckets.NAME`, which contains the buckets of the time series NAME. An empty `series` means
   * all time series of the database. An empty `database` means all databases.
   */
  | { readonly kind: 'buckets'; readonly database: string; readonly series: string };

export interface Allowance {
  readonly resource: ResourcePattern;
  readonly actions: ReadonlySet<string> | 'all';
}

/** A resource in the format of role documents and replies. */
export interface ResourceSpec {
  readonly cluster?: boolean;
  readonly anyResource?: boolean;
  readonly db?: string;
  readonly collection?: string;
  readonly system_buckets?: string;
}

export function patternOf(spec: ResourceSpec): ResourcePattern {
  const { cluster, anyResource, db = '', collection = '', system_buckets: series } = spec;
  if (anyResource === true) return { kind: 'anything' };
  if (cluster === true) return { kind: 'cluster' };
  if (series !== undefined) return { kind: 'buckets', database: db, series };
  if (collection !== '') return { kind: 'collection', database: db, collection };
  return db === '' ? { kind: 'anyNormal' } : { kind: 'database', database: db };
}

export function specOf(resource: ResourcePattern): ResourceSpec {
  switch (resource.kind) {
    case 'cluster':
      return { cluster: true };
    case 'anything':
      return { anyResource: true };
    case 'anyNormal':
      return { db: '', collection: '' };
    case 'database':
      return { db: resource.database, collection: '' };
    case 'collection':
      return { db: resource.database, collection: resource.collection };
    case 'buckets':
      return { ...(resource.database !== '' && { db: resource.database }), system_buckets: resource.series };
  }
}
