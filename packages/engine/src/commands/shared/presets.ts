import type { Command } from '../context/command.ts';

/**
 * Common command properties. A preset permits nothing optional, so each command declares what it additionally supports;
 * writing commands must declare how they are audited.
 */
type Preset = Omit<Command, 'name' | 'aliases' | 'privileges' | 'variant' | 'fields' | 'run'>;

/** Does not access stored data; any member answers. */
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
  audit: 'none',
  secrets: [],
  explain: 'unsupported',
  queryShape: undefined,
} as const satisfies Preset;

/** Reports on the called member, or on what all members share. */
export const inspecting = { ...withoutData, data: 'read' } as const satisfies Preset;

/** Reads data, subject to the read preference. */
export const reading = { ...inspecting, members: 'preferred' } as const satisfies Preset;

const { audit: _, ...unaudited } = reading;

export const writing = {
  ...unaudited,
  data: 'write',
  members: 'primary',
  writeConcern: true,
} as const satisfies Omit<Preset, 'audit'>;

/** Changes the sharding metadata; on routers only. */
export const sharding = {
  ...writing,
  knownOn: 'routers',
  database: 'admin',
} as const satisfies Omit<Preset, 'audit'>;

/** Arguments that contain credentials. */
export const credentials = ['pwd', 'payload', 'key', 'speculativeAuthenticate', 'digestPassword'] as const;

export const managingAccounts = { ...writing, secrets: credentials } as const satisfies Omit<Preset, 'audit'>;
