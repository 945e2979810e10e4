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
          description: 'Whether authCheck events include successful authorization checks.',
        }),
      ),
      auditFilter: Type.Optional(
        Type.String({
          maxLength: 65_536,
          description:
            'Query document over audit messages, as JSON; names may be in single quotes or unquoted. Without a filter, all messages are audited.',
        }),
      ),
      configurationType: readOnly(Choice(['NONE', 'FILTER_BUILDER', 'FILTER_JSON'])),
      enabled: Type.Optional(Type.Boolean({ default: false })),
      links: Links,
    },
    { description: 'The audit configuration of a project.' },
  ),
  { name: 'auditLog', self: 'getAuditingConfiguration', params: () => ({}) },
);
export type AuditingConfiguration = Type.Static<typeof AuditingConfiguration>;
