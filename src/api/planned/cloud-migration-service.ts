import { contract, type PlannedTag } from './planned.ts';

export const cloudMigrationService: PlannedTag = {
  tag: 'Cloud Migration Service',
  paths: {
    '/groups/{groupId}/liveMigrations': {
      POST: contract('createPushMigration', '2023-01-01', '2024-05-30'),
    },
    '/groups/{groupId}/liveMigrations/validate': {
      POST: contract('validateMigration', '2023-01-01', '2024-05-30'),
    },
    '/groups/{groupId}/liveMigrations/validate/{validationId}': {
      GET: contract('getValidationStatus'),
    },
    '/groups/{groupId}/liveMigrations/{liveMigrationId}': {
      GET: contract('getPushMigration'),
    },
    '/groups/{groupId}/liveMigrations/{liveMigrationId}/cutover': {
      PUT: contract('cutoverMigration'),
    },
    '/orgs/{orgId}/liveMigrations/availableProjects': {
      GET: contract('listSourceProjects'),
    },
    '/orgs/{orgId}/liveMigrations/linkTokens': {
      POST: contract('createLinkToken'),
      DELETE: contract('deleteLinkToken'),
    },
  },
};
