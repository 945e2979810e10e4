import type { Support } from '../../api/support.ts';
import type { ReleaseDate } from '../../api/versions.ts';

/** This file declares until when the vendor supports versions, as its documents and recorded responses say. */

/** The date until which most deprecated versions are supported. */
const SUNSET = '2027-07-01';

/** Every version except the newest one is deprecated since the release of the next version. */
export function supportOf(id: string, version: ReleaseDate, dates: readonly ReleaseDate[]): Support {
  const next = dates.find((date) => date > version);
  if (next === undefined) return ended[id] ?? {};
  return { deprecated: next, sunset: SUNSET, ...(version === '2024-08-05' && shorter[id]) };
}

/** Versions of 2024-08-05 that are supported for a shorter time. */
const shorter: Readonly<Record<string, Support>> = same(['createCluster', 'updateCluster'], {
  sunset: '2027-03-01',
});

/**
 * The operations whose newest version is deprecated. No public source names the date of the deprecation of some of
 * them, so the service sends no such date.
 */
const ended: Readonly<Record<string, Support>> = {
  autoScalingConfiguration: { deprecated: '2024-10-23' },
  ...same(
    [
      'createProjectInvitation',
      'deleteProjectInvitation',
      'getProjectInvitation',
      'listProjectInvitations',
      'updateProjectInvitation',
      'updateProjectInvitationById',
    ],
    { deprecated: '2023-10-04', sunset: SUNSET },
  ),
  ...same(
    [
      'createPlatformSearchIndexDeprecated',
      'deletePlatformSearchIndexDeprecated',
      'getPlatformSearchIndexDeprecated',
      'listPlatformSearchIndexesDeprecated',
      'updatePlatformSearchIndexDeprecated',
    ],
    { deprecated: '2024-05-30', sunset: SUNSET },
  ),
  ...same(
    [
      'addTeamUser',
      'createOrganizationInvitation',
      'createUser',
      'deleteOrganizationInvitation',
      'getOrganizationInvitation',
      'getUser',
      'getUserByUsername',
      'listOrganizationInvitations',
      'removeTeamUser',
      'updateOrganizationInvitation',
      'updateOrganizationInvitationById',
    ],
    { deprecated: '2025-02-19', sunset: SUNSET },
  ),
  ...same(['addUserToProject', 'updateOrganizationRoles', 'updateProjectRoles'], { sunset: SUNSET }),
  ...same(['getServerlessInstance', 'listServerlessInstances'], { sunset: '2027-01-18' }),
  ...same(
    [
      'createPushBasedLogExport',
      'deletePushBasedLogExport',
      'getPushBasedLogExport',
      'updatePushBasedLogExport',
    ],
    { sunset: '2027-02-04' },
  ),
};

function same(ids: readonly string[], support: Support): Readonly<Record<string, Support>> {
  return Object.fromEntries(ids.map((id) => [id, support]));
}
