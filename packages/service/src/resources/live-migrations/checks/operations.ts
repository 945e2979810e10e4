import { operation } from '../../services.ts';
import { requireDestination, requireIn } from '../rules.ts';
import { FormerMigrationRequest, MigrationRequest, readFormer, Validation } from '../schema.ts';
import { askedBy } from '../wish.ts';
import { requestCheck } from './changes.ts';
import { type CheckRow, checkById } from './rows.ts';

const presentCheck = ({ id, groupId, wish, status, problem }: CheckRow) => ({
  _id: id,
  // Until it is over a problem is the migration host's word alone.
  errorMessage: status === 'FAILED' ? (problem ?? null) : null,
  groupId,
  sourceGroupId: wish.sourceGroupId,
  status,
});

export const validate = operation({
  id: 'validateMigration',
  tag: 'Cloud Migration Service',
  method: 'POST',
  path: '/groups/{groupId}/liveMigrations/validate',
  summary: 'Looks whether a migration would be possible; the answer of the status says when it is over.',
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
    const asked = askedBy(call);
    return call.write(async (tx) => {
      const cluster = await requireDestination(tx, {
        groupId,
        clusterName: call.body.destination.clusterName,
      });
      return presentCheck(await requestCheck(tx, cluster, asked));
    });
  },
});

export const getValidation = operation({
  id: 'getValidationStatus',
  tag: 'Cloud Migration Service',
  method: 'GET',
  path: '/groups/{groupId}/liveMigrations/validate/{validationId}',
  summary: 'Answers whether a migration would be possible, or what stands in the way.',
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
