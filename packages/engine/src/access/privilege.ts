/**
 * The right to perform `action` on a resource. An empty `collection` means the database as a whole, an absent
 * `database` the cluster.
 */
export interface Privilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}
