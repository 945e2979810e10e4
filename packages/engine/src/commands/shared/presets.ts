import type { Command } from '../context/command.ts';

/**
 * Facts that many commands have in common. A preset lets nothing that could be refused, so that each command says what
 * it lets besides; and what the audit stream tells of a change each command that writes says for itself.
 */
type Preset = Omit<Command, 'name' | 'aliases' | 'privileges' | 'variant' | 'run'>;

/** Touches nothing that is stored, and is answered by every member. */
export const withoutData = {
  operation: 'command',
  data: 'none',
  knownOn: 'everywhere',
  database: 'any',
  members: 'any',
  transaction: 'never',
  retryable: false,
  readConcern: 'local',
  writeConcern: false,
  stableApi: false,
  unstableFields: [],
  inOplog: false,
  audit: 'nothing',
  secrets: [],
  explain: 'refused',
  queryShape: undefined,
} as const satisfies Preset;

/** Tells of the member that is called, or of what all members have in common. */
export const inspecting = { ...withoutData, data: 'read' } as const satisfies Preset;

/** Reads where the caller may read. */
export const reading = { ...inspecting, members: 'preferred' } as const satisfies Preset;

const { audit: _, ...unaudited } = reading;

export const writing = {
  ...unaudited,
  data: 'write',
  members: 'primary',
  writeConcern: true,
} as const satisfies Omit<Preset, 'audit'>;

/** On routers: changes how collections lie on shards. */
export const sharding = {
  ...writing,
  knownOn: 'routers',
  database: 'admin',
} as const satisfies Omit<Preset, 'audit'>;

/** Arguments that prove who somebody is. */
export const credentials = ['pwd', 'payload', 'key', 'speculativeAuthenticate', 'digestPassword'] as const;

export const managingAccounts = { ...writing, secrets: credentials } as const satisfies Omit<Preset, 'audit'>;
