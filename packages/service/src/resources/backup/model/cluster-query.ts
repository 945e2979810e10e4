import Type from 'typebox';
import { Id } from '../../../api/fields.ts';

/** Selects one of several clusters that have had the name in the path. This parameter extends the contract. */
export const ClusterQuery = Type.Object({
  clusterId: Type.Optional(
    Id({
      description:
        'Id of a deleted cluster whose backups are retained. Required only if another cluster now has the same name.',
    }),
  ),
});
