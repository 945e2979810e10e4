import type { ScopeKind } from '../store/scope.ts';

/** Who calls: what authentication finds out, and what every later check asks. */

export type { ScopeKind };

/** An organization, or a project with the organization that owns it. */
export type Scope =
  | { readonly kind: 'org'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string; readonly orgId: string };

/** One role on one organization or project, as it was assigned. */
export interface Grant {
  readonly scope: ScopeKind;
  readonly id: string;
  readonly role: string;
}

export interface Caller {
  readonly kind: 'apiKey' | 'serviceAccount';
  /** The key's or the account's id; for a service account its client id. */
  readonly id: string;
  /** What the caller is known by: the public key, or the client id. */
  readonly name: string;
  readonly orgId: string;
  readonly grants: readonly Grant[];
  /** CIDR blocks from which it may call; empty means that it has no list. */
  readonly addresses: readonly string[];
  /** Whether its organization refuses callers without a list. */
  readonly listRequired: boolean;
}
