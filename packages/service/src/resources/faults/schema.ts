import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';
import { works } from './works.ts';

const optional = Type.Optional;
/** Longer than the timeout of any client. */
const MAX_DELAY_MS = 300_000;
const Delay = optional(
  Type.Integer({
    minimum: 0,
    maximum: MAX_DELAY_MS,
    description: 'Delay before any other effect, in milliseconds.',
  }),
);

const RequestFault = Type.Object(
  {
    delayMilliseconds: Delay,
    disconnect: optional(
      Choice(['BEFORE', 'AFTER'], {
        description:
          'Cuts the connection instead of responding: before the operation is performed, or after it.',
      }),
    ),
    errorCode: optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,99}$',
        description: 'Error code of the response; by default one that fits the status.',
      }),
    ),
    operations: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Operation ids and tags; `*` matches all operations except those of the operator.',
    }),
    retryAfterSeconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'Value of the `Retry-After` header; 1 by default for status 429.',
      }),
    ),
    status: optional(
      Type.Integer({
        minimum: 400,
        maximum: 599,
        description: 'Responds with this status without performing the operation.',
      }),
    ),
  },
  { description: 'Effect on requests that would otherwise succeed.' },
);

const WorkFault = Type.Object(
  {
    kinds: Type.Array(Choice(works), { minItems: 1, maxItems: works.length }),
    outcome: Choice(['FAILED', 'HELD'], {
      description:
        'FAILED: the work fails. HELD: the work does not start, and is retried; each attempt counts as a call.',
    }),
  },
  { description: 'Effect on asynchronous work on clusters.' },
);

const WireFault = Type.Object(
  {
    closeConnection: optional(
      Type.Boolean({ description: 'Closes the connection without performing the command.' }),
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
        description: 'Responds with this error code without performing the command.',
      }),
    ),
  },
  { description: 'Effect on commands that drivers send; requires clusterName.' },
);

/** A declared fault: a rule and how often it was triggered. */
export const DeclaredFault = entity(
  Type.Object(
    {
      calls: readOnly(Type.Integer({ description: 'Number of calls that matched.' })),
      clusterName: optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Limits the fault to this cluster; requires groupId.',
        }),
      ),
      created: readOnly(DateTime()),
      groupId: optional(Id({ description: 'Limits the fault to this project.' })),
      id: readOnly(Id()),
      links: Links,
      met: readOnly(Type.Integer({ description: 'Number of times the fault was triggered.' })),
      probability: optional(
        Type.Number({
          minimum: 0,
          maximum: 1,
          default: 1,
          description: 'Probability that a matching call triggers the fault.',
        }),
      ),
      request: optional(RequestFault),
      seed: optional(
        Type.Integer({
          minimum: 0,
          maximum: 2 ** 32 - 1,
          description: 'Seed that determines which calls trigger the fault; random by default.',
        }),
      ),
      skip: optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          default: 0,
          description: 'Number of calls to skip first.',
        }),
      ),
      times: optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Maximum number of times that the fault is triggered; unlimited by default.',
        }),
      ),
      wire: optional(WireFault),
      work: optional(WorkFault),
    },
    { description: 'A fault declared by the operator to test clients.' },
  ),
  { name: 'declaredFault', self: 'getFault', params: ({ id }) => ({ faultId: String(id) }) },
);
export type DeclaredFault = Type.Static<typeof DeclaredFault>;
export type RequestFault = Type.Static<typeof RequestFault>;

/** A declared fault with defaults filled in. */
export type FaultRule = Omit<DeclaredFault, 'calls' | 'created' | 'id' | 'links' | 'met'> & {
  readonly seed: number;
};
