import Type from 'typebox';
import { entity } from '../../api/entity.ts';
import { Choice, DateTime, Id, Links, readOnly } from '../../api/fields.ts';
import { works } from './works.ts';

const optional = Type.Optional;
/** Longer than any client waits. */
const MOST_DELAY_MS = 300_000;
const Delay = optional(
  Type.Integer({
    minimum: 0,
    maximum: MOST_DELAY_MS,
    description: 'How long it takes before anything else happens.',
  }),
);

const RequestFault = Type.Object(
  {
    delayMilliseconds: Delay,
    disconnect: optional(
      Choice(['BEFORE', 'AFTER'], {
        description: 'Cuts the connection instead of an answer: before the operation is done, or after it.',
      }),
    ),
    errorCode: optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{0,99}$',
        description: 'That of the answer; by default one that fits the status.',
      }),
    ),
    operations: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Operation ids and tags; `*` stands for all operations but those of the operator.',
    }),
    retryAfterSeconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'The header `Retry-After`; 1 where the status is 429.',
      }),
    ),
    status: optional(
      Type.Integer({ minimum: 400, maximum: 599, description: 'Answers with this error, and does nothing.' }),
    ),
  },
  { description: 'What happens to requests that would have been served.' },
);

const WorkFault = Type.Object(
  {
    kinds: Type.Array(Choice(works), { minItems: 1, maxItems: works.length }),
    outcome: Choice(['FAILED', 'HELD'], {
      description:
        'FAILED: ends without success. HELD: does not begin; tried again and again, each try counts.',
    }),
  },
  { description: 'What happens to work on clusters that goes on after an answer.' },
);

const WireFault = Type.Object(
  {
    closeConnection: optional(
      Type.Boolean({ description: 'Ends the connection in the place of an answer; nothing is done.' }),
    ),
    commands: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Names of database commands: `find`, `insert`, `getMore`.',
    }),
    delayMilliseconds: Delay,
    errorCode: optional(
      Type.Integer({
        minimum: 1,
        maximum: 2 ** 31 - 1,
        description: 'Answers the error with this code in the place of the answer; nothing is done.',
      }),
    ),
  },
  { description: 'What happens to commands that drivers send to the cluster, whose name must be given.' },
);

/** A fault that is declared: a rule, and how often it was met so far. */
export const DeclaredFault = entity(
  Type.Object(
    {
      calls: readOnly(Type.Integer({ description: 'How often it could have been met.' })),
      clusterName: optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Only what concerns this cluster; the project must be named too.',
        }),
      ),
      created: readOnly(DateTime()),
      groupId: optional(Id({ description: 'Only what concerns this project.' })),
      id: readOnly(Id()),
      links: Links,
      met: readOnly(Type.Integer({ description: 'How often it was met.' })),
      probability: optional(
        Type.Number({ minimum: 0, maximum: 1, default: 1, description: 'How likely it is met each time.' }),
      ),
      request: optional(RequestFault),
      seed: optional(
        Type.Integer({
          minimum: 0,
          maximum: 2 ** 32 - 1,
          description: 'Decides which calls are met; drawn and told where it is not given.',
        }),
      ),
      skip: optional(
        Type.Integer({
          minimum: 0,
          maximum: 1_000_000,
          default: 0,
          description: 'So many calls pass first.',
        }),
      ),
      times: optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          description: 'Met so often at most; without end where it is not given.',
        }),
      ),
      wire: optional(WireFault),
      work: optional(WorkFault),
    },
    { description: 'A fault that the operator has declared, for those who test their clients.' },
  ),
  { name: 'declaredFault', self: 'getFault', params: ({ id }) => ({ faultId: String(id) }) },
);
export type DeclaredFault = Type.Static<typeof DeclaredFault>;
export type RequestFault = Type.Static<typeof RequestFault>;

/** What is declared, with everything that was left open. */
export type FaultRule = Omit<DeclaredFault, 'calls' | 'created' | 'id' | 'links' | 'met'> & {
  readonly seed: number;
};
