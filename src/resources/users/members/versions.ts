import type { ReleaseDate } from '../../../api/versions.ts';

/** The version that shows invitations among the members; those before list users only. */
export const MEMBERS_VERSION = '2025-02-19' satisfies ReleaseDate;
