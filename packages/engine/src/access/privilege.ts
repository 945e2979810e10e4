/**
 * The right to perform `action` on a resource. An empty `collection` means the database as a whole. An absent
 * `database` means the cluster.
 */
export interface Privilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}
