export { createApi } from './create-api.ts';
export type { Mount } from './mounts.ts';
export { rateMigrations } from './rates/migrations.ts';
