/** `action` on a resource; an empty `collection` is the database as a whole, an absent `database` the cluster. */
export interface Privilege {
  readonly action: string;
  readonly database?: string;
  readonly collection?: string;
}
