import { contract, plannedTag } from './planned.ts';

export const cloudMigrationService = plannedTag('Cloud Migration Service', {
  createPushMigration: contract('POST /groups/{groupId}/liveMigrations', '2023-01-01', '2024-05-30'),
  validateMigration: contract('POST /groups/{groupId}/liveMigrations/validate', '2023-01-01', '2024-05-30'),
  getValidationStatus: contract('GET /groups/{groupId}/liveMigrations/validate/{validationId}'),
  getPushMigration: contract('GET /groups/{groupId}/liveMigrations/{liveMigrationId}'),
  cutoverMigration: contract('PUT /groups/{groupId}/liveMigrations/{liveMigrationId}/cutover'),
  listSourceProjects: contract('GET /orgs/{orgId}/liveMigrations/availableProjects'),
  createLinkToken: contract('POST /orgs/{orgId}/liveMigrations/linkTokens'),
  deleteLinkToken: contract('DELETE /orgs/{orgId}/liveMigrations/linkTokens'),
});
