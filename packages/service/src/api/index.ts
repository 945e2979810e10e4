export { createApi } from './create-api.ts';
export { Front } from './http/front.ts';
export type { Interfere, RequestToMeet } from './interference.ts';
export type { Mount, MountAnswer, MountRequest } from './mounts.ts';
export { rateMigrations } from './rates/migrations.ts';
