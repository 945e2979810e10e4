import type { ScopeKind } from '../store/scope.ts';

/**
 * This file describes the caller of a request. Authentication determines the caller, and all later checks use
 * it.
 */

export type { ScopeKind };

/** An organization, or a project with the organization that owns it. */
export type Scope =
  | { readonly kind: 'org'; readonly id: string }
  | { readonly kind: 'group'; readonly id: string; readonly orgId: string };

/** One assigned role on an organization or project. */
export interface Grant {
  readonly scope: ScopeKind;
  readonly id: string;
  readonly role: string;
  /** The organization of a project, for callers who may belong to several organizations. */
  readonly orgId?: string;
}

export const callerKinds = ['apiKey', 'serviceAccount', 'user'] as const;

export interface Caller {
  readonly kind: (typeof callerKinds)[number];
  /** Id of the key or the person; for a service account its client id. */
  readonly id: string;
  /** The caller's name: the public key, the client id, or the user name. */
  readonly name: string;
  /**
   * The id of the organization. For a person, the id of the first of the person's organizations, or an empty text if
   * the person has none.
   */
  readonly orgId: string;
  readonly grants: readonly Grant[];
  /** CIDR blocks from which the caller may call; empty without an access list. */
  readonly addresses: readonly string[];
  /** Whether the organization rejects callers without an access list. */
  readonly listRequired: boolean;
}

/** The session of a caller who is logged in. */
export interface Session {
  /** Calls a listener when the session ends. Returns a function that removes the listener. */
  whenEnded(listener: () => void): () => void;
}
