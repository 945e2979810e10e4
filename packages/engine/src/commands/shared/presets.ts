import type { Command } from '../context/command.ts';

/**
 * Properties that several commands have in common. A preset declares no optional feature. Each command declares the
 * optional features that it supports. A command that writes must declare how it is audited.
 */
type Preset = Omit<Command, 'name' | 'aliases' | 'privileges' | 'variant' | 'fields' | 'run'>;

/** A command that does not access stored data. Any member runs it. */
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
} as const satisfies Preset;

/** A command that reports on the called member, or on data that all members share. */
export const inspecting = { ...withoutData, data: 'read' } as const satisfies Preset;

/** A command that reads data, on members that the read preference allows. */
export const reading = { ...inspecting, members: 'preferred' } as const satisfies Preset;

const { audit: _, ...unaudited } = reading;

export const writing = {
  ...unaudited,
  data: 'write',
  members: 'primary',
  writeConcern: true,
} as const satisfies Omit<Preset, 'audit'>;

/** A command that changes the metadata of a sharded cluster, on routers only. */
export const sharding = {
  ...writing,
  knownOn: 'routers',
  database: 'admin',
} as const satisfies Omit<Preset, 'audit'>;

/** Arguments that contain credentials. */
export const credentials = ['pwd', 'payload', 'key', 'speculativeAuthenticate', 'digestPassword'] as const;

export const managingAccounts = { ...writing, secrets: credentials } as const satisfies Omit<Preset, 'audit'>;
