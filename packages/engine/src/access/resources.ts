/** Where actions are allowed. */
export type ResourcePattern =
  | { readonly kind: 'cluster' }
  /** The cluster, and every database and collection of any name. */
  | { readonly kind: 'anything' }
  /** Every database and its collections, `local`, `config` and system collections left out. */
  | { readonly kind: 'anyNormal' }
  /** A database and its collections, system collections left out. */
  | { readonly kind: 'database'; readonly database: string }
  /** One collection; an empty `database` is any database. */
  | { readonly kind: 'collection'; readonly database: string; readonly collection: string };

export interface Allowance {
  readonly resource: ResourcePattern;
  readonly actions: ReadonlySet<string> | 'all';
}

/** As roles and answers name a resource. */
export interface ResourceSpec {
  readonly cluster?: boolean;
  readonly anyResource?: boolean;
  readonly db?: string;
  readonly collection?: string;
}

export function patternOf({ cluster, anyResource, db = '', collection = '' }: ResourceSpec): ResourcePattern {
  if (anyResource === true) return { kind: 'anything' };
  if (cluster === true) return { kind: 'cluster' };
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
  }
}
