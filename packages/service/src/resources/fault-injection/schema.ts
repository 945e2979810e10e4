import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';
import { works } from './works.ts';

const optional = Type.Optional;
/** Maximum delay in milliseconds. It is longer than the timeout of common clients. */
const MAX_DELAY_MS = 300_000;
const Delay = optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_DELAY_MS,
    description: 'Number of milliseconds to wait before the other effects.',
  }),
);

const RequestFault = Type.Object(
  {
    delayMilliseconds: Delay,
    disconnect: optional(
      Choice(['BEFORE', 'AFTER'], {
        description:
          'Closes the connection instead of responding. `BEFORE`: the operation is not performed. `AFTER`: the operation is performed.',
      }),
    ),
    errorCode: optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,99}$',
        description: 'Error code of the response. The default depends on the status.',
      }),
    ),
    operations: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Ids or tags of operations; `*` selects all operations except those under `/operator/v1`.',
    }),
    retryAfterSeconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'Value of the header `Retry-After`; 1 by default for the status 429.',
      }),
    ),
    status: optional(
      Type.Integer({
        minimum: 400,
        maximum: 599,
        description: 'Status of the response. The operation is not performed.',
      }),
    ),
  },
  { description: 'Effect on API requests whose credentials, role, version, path and query are valid.' },
);

const WorkFault = Type.Object(
  {
    kinds: Type.Array(Choice(works), {
      minItems: 1,
      maxItems: works.length,
      description: 'Kinds of work that the fault selects.',
    }),
    outcome: Choice(['FAILED', 'HELD'], {
      description:
        '`FAILED`: the work fails. `HELD`: the work waits until the fault is deleted. Each attempt to start the work counts as a call.',
    }),
  },
  { description: 'Effect on work that continues after the response, such as creating a cluster.' },
);

const WireFault = Type.Object(
  {
    closeConnection: optional(
      Type.Boolean({ description: '`true` closes the connection instead of performing the command.' }),
    ),
    commands: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Names of database commands, such as `find`, `insert` or `getMore`.',
    }),
    delayMilliseconds: Delay,
    errorCode: optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 31 - 1,
        description: 'Code of the database error that the command returns. The command is not performed.',
      }),
    ),
  },
  { description: 'Effect on database commands that drivers send to a cluster. Requires `clusterName`.' },
);

/** A declared fault: the rule, and how often it was triggered. */
export const DeclaredFault = entity(
  Type.Object(
    {
      calls: readOnly(
        Type.Integer({
          description:
            'Number of calls so far whose kind, cluster and project match the fault. The fault may have affected only some of these calls (see `met`).',
        }),
      ),
      clusterName: optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description:
            'Name of a cluster. The fault selects only calls for this cluster. Requires `groupId`.',
        }),
      ),
      created: readOnly(DateTime()),
      groupId: optional(
        Id({ description: 'Id of a project. The fault selects only calls for this project.' }),
      ),
      id: readOnly(Id()),
      links: Links,
      met: readOnly(
        Type.Integer({
          description:
            'Number of calls that the fault has affected so far. It can be less than `calls` because of `skip`, `times` and `probability`.',
        }),
      ),
      probability: optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          default: 1,
          description: 'Probability with which the fault applies to a selected call.',
        }),
      ),
      request: optional(RequestFault),
      seed: optional(
        Type.Integer({
          minimum: 0,
          maximum: 2 ** 32 - 1,
          description:
            'Seed of the random choice of calls, for `probability`. The same seed chooses the same calls. The default is a random seed.',
        }),
      ),
      skip: optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          default: 0,
          description:
            'Number of selected calls that the fault leaves alone before it applies for the first time.',
        }),
      ),
      times: optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Maximum number of calls to which the fault is applied; unlimited by default.',
        }),
      ),
      wire: optional(WireFault),
      work: optional(WorkFault),
    },
    {
      description:
        'A declared fault: an error, delay or closed connection that affects selected calls. Operators declare faults to test clients.',
    },
  ),
  { name: 'declaredFault', self: 'getFault', params: ({ id }) => ({ faultId: String(id) }) },
);
export type DeclaredFault = Type.Static<typeof DeclaredFault>;
export type RequestFault = Type.Static<typeof RequestFault>;

/** A declared fault with defaults filled in. */
export type FaultRule = Omit<DeclaredFault, 'calls' | 'created' | 'id' | 'links' | 'met'> & {
  readonly seed: number;
};
