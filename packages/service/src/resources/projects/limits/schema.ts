import Type from 'typebox';
import { entity } from '../../../api/entity.ts';
import { Links, readOnly, ruled } from '../../../api/fields.ts';

/** The lowest value of every limit. The highest values differ. */
export const MIN_LIMIT = 1;

export const ProjectLimit = entity(
  Type.Object(
    {
      currentUsage: readOnly(Type.Integer()),
      defaultLimit: readOnly(Type.Integer()),
      links: Links,
      maximumLimit: readOnly(Type.Integer()),
      name: readOnly(Type.String({ description: 'Name of the limit.' })),
      value: ruled(Type.Integer({ description: 'Current value of the limit.' }), {
        minimum: MIN_LIMIT,
      }),
    },
    { description: 'A limit: the maximum number of resources of one kind in a project.' },
  ),
  { name: 'projectLimit', self: 'getProjectLimit', params: (limit) => ({ limitName: limit.name ?? '' }) },
);
