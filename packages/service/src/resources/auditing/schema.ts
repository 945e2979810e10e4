import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, Links, readOnly } from '../../api/fields.ts';

/** The audit configuration of a project's clusters (docs/contract/api.md 2.16). */
export const AuditingConfiguration = entity(
  Type.Object(
    {
      auditAuthorizationSuccess: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            'Whether `authCheck` messages record successful authorization checks in addition to failed ones.',
        }),
      ),
      auditFilter: Type.Optional(
        Type.String({
          maxLength: 65_536,
          description:
            'Query document that selects the audit messages to record, as JSON text. In filters of up to 10,000 characters, field names may also be unquoted or in single quotes. Without a filter, all messages are recorded.',
        }),
      ),
      configurationType: readOnly(
        Choice(['NONE', 'FILTER_BUILDER', 'FILTER_JSON'], {
          description: '`FILTER_JSON` if there is a filter, otherwise `NONE`.',
        }),
      ),
      enabled: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether the clusters of the project write audit logs.',
        }),
      ),
      links: Links,
    },
    { description: 'The audit configuration of a project.' },
  ),
  { name: 'auditLog', self: 'getAuditingConfiguration', params: () => ({}) },
);
export type AuditingConfiguration = Type.Static<typeof AuditingConfiguration>;
