export { type Api, createApi } from './create-api.ts';
export type { FaultTarget, InjectFault } from './fault-injection.ts';
export { RequestGate } from './http/request-gate.ts';
export type { Mount, MountAnswer, MountRequest } from './mounts.ts';
export { rateMigrations } from './rates/migrations.ts';
export type { SessionAuthenticator } from './sessions.ts';
