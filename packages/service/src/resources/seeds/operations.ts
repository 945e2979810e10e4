import { extension } from '../services.ts';
import { beginSeed, presentSeed } from './rules.ts';
import { AppliedSeed, SeedRequest } from './schema.ts';

const common = { tag: 'Operator', surface: 'operator', access: 'operator', path: '/seed' } as const;

export const getSeed = extension({
  ...common,
  id: 'getSeed',
  summary: 'Returns the latest seed that this process has applied or is applying, and its status.',
  method: 'GET',
  reply: AppliedSeed,
  status: 200,
  handler: async ({ services }) => presentSeed(services.seeds.last()),
});

export const applySeed = extension({
  ...common,
  id: 'applySeed',
  summary:
    'Applies a seed: creates the resources and documents that do not exist yet. This continues after the response; `GET` returns the status.',
  method: 'POST',
  body: SeedRequest,
  reply: AppliedSeed,
  status: 202,
  handler: async ({ services, body }) => presentSeed(await beginSeed(services, body.seed)),
});
