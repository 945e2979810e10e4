import type { ReleaseDate } from '../../../api/versions.ts';

export const memberTag = 'Db Cloud Users';

/** The version that shows invitations among the members; those before list users only. */
export const MEMBERS_VERSION = '2025-02-19' satisfies ReleaseDate;

/** Versions that show invitations among the members. */
export const memberVersions = { [MEMBERS_VERSION]: 'same', '2025-03-12': 'same' } as const;
