import { operation } from '../../services.ts';
import { acceptRequest } from '../request.ts';
import { requireDestination, requireIn } from '../rules.ts';
import { FormerMigrationRequest, MigrationRequest, readFormer, Validation } from '../schema.ts';
import { requestCheck } from './changes.ts';
import { type CheckRow, checkById } from './rows.ts';

const presentCheck = ({ id, groupId, spec, status, problem }: CheckRow) => ({
  _id: id,
  // Before the check has ended, `problem` is a temporary problem that the migration host has reported.
  errorMessage: status === 'FAILED' ? (problem ?? null) : null,
  groupId,
  sourceGroupId: spec.sourceGroupId,
  status,
});

export const validate = operation({
  id: 'validateMigration',
  tag: 'Cloud Migration Service',
  method: 'POST',
  path: '/groups/{groupId}/liveMigrations/validate',
  summary:
    'Starts a validation, which checks whether a live migration is possible. Poll the validation for its result.',
  access: 'Organization Owner',
  versions: {
    '2023-01-01': { body: FormerMigrationRequest, read: readFormer },
    '2024-05-30': 'same',
    '2025-03-12': 'same',
  },
  body: MigrationRequest,
  reply: Validation,
  status: 200,
  handler(call) {
    const { groupId } = call.params;
    const accepted = acceptRequest(call);
    return call.write(async (tx) => {
      const cluster = await requireDestination(tx, {
        groupId,
        clusterName: call.body.destination.clusterName,
      });
      return presentCheck(await requestCheck(tx, cluster, accepted));
    });
  },
});

export const getValidation = operation({
  id: 'getValidationStatus',
  tag: 'Cloud Migration Service',
  method: 'GET',
  path: '/groups/{groupId}/liveMigrations/validate/{validationId}',
  summary: 'Returns a validation, with its status and, if it failed, the reason.',
  access: 'Organization Owner',
  reply: Validation,
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const { groupId, validationId } = call.params;
      const row = await checkById(tx, validationId);
      const own = row?.migrationId === undefined ? row : undefined;
      return presentCheck(requireIn(own, groupId, `the validation ${validationId}`));
    }),
});
