import { machineClock } from '@portolan/foundation/clock';
import type { Migration, MigrationSchema } from '../store/index.ts';

/** This folder has the migration numbers 20 to 29. */
export const migrations: readonly Migration[] = [
  { number: 20, name: 'api keys and service accounts', up: principals },
  { number: 21, name: 'roles and addresses of callers', up: permissions },
  { number: 22, name: 'used and revoked credentials', up: usage },
  { number: 23, name: 'required address lists and last uses', up: lastUses },
  { number: 24, name: 'request trail', up: requestTrail },
  { number: 25, name: 'warnings about secrets', up: secretWarnings },
];

async function principals(schema: MigrationSchema): Promise<void> {
  await schema.run(`CREATE TABLE api_key (
    id {text} PRIMARY KEY,
    org_id {text} NOT NULL,
    public_key {text} NOT NULL UNIQUE,
    description {text} NOT NULL,
    private_key_mask {text} NOT NULL,
    ha1_md5 {bytes} NOT NULL,
    ha1_sha256 {bytes} NOT NULL,
    created_at {int64} NOT NULL
  ) {strict}`);
  await schema.run('CREATE INDEX api_key_of_org ON api_key (org_id, id)');
  await schema.run(`CREATE TABLE service_account (
    id {text} PRIMARY KEY,
    org_id {text} NOT NULL,
    name {text} NOT NULL,
    description {text} NOT NULL,
    created_at {int64} NOT NULL
  ) {strict}`);
  await schema.run('CREATE INDEX service_account_of_org ON service_account (org_id, id)');
  await schema.run(`CREATE TABLE service_account_secret (
    id {text} PRIMARY KEY,
    service_account_id {text} NOT NULL REFERENCES service_account (id) ON DELETE CASCADE,
    hash {bytes} NOT NULL,
    mask {text} NOT NULL,
    created_at {int64} NOT NULL,
    expires_at {int64}
  ) {strict}`);
  await schema.run(
    'CREATE INDEX secret_of_service_account ON service_account_secret (service_account_id, id)',
  );
}

/**
 * Creates the tables of roles and addresses. `principal_id` refers to API keys and service accounts, so it cannot be a
 * foreign key.
 */
async function permissions(schema: MigrationSchema): Promise<void> {
  await schema.run(`CREATE TABLE role_grant (
    principal_id {text} NOT NULL,
    scope_kind {text} NOT NULL CHECK (scope_kind IN ('org', 'group')),
    scope_id {text} NOT NULL,
    role {text} NOT NULL,
    PRIMARY KEY (principal_id, scope_kind, scope_id, role)
  ) {strict}`);
  await schema.run('CREATE INDEX role_grant_on_scope ON role_grant (scope_kind, scope_id, principal_id)');
  await schema.run(`CREATE TABLE access_list_entry (
    principal_id {text} NOT NULL,
    cidr_block {text} NOT NULL,
    created_at {int64} NOT NULL,
    PRIMARY KEY (principal_id, cidr_block)
  ) {strict}`);
}

/**
 * Creates the tables of revoked tokens, used nonces and failed logins. The dates in these tables are in machine time.
 */
async function usage(schema: MigrationSchema): Promise<void> {
  await schema.run(`CREATE TABLE revoked_token (
    id {text} PRIMARY KEY,
    expires_at {int64} NOT NULL
  ) {strict}`);
  await schema.run('CREATE INDEX revoked_token_expiry ON revoked_token (expires_at)');
  await schema.run(`CREATE TABLE used_nonce (
    nonce {text} NOT NULL,
    nc {int64} NOT NULL,
    expires_at {int64} NOT NULL,
    PRIMARY KEY (nonce, nc)
  ) {strict}`);
  await schema.run('CREATE INDEX used_nonce_expiry ON used_nonce (expires_at)');
  await schema.run(`CREATE TABLE wrong_credentials (
    name {text} NOT NULL,
    address {text} NOT NULL,
    attempts {int64} NOT NULL,
    expires_at {int64} NOT NULL,
    PRIMARY KEY (name, address)
  ) {strict}`);
  await schema.run('CREATE INDEX wrong_credentials_expiry ON wrong_credentials (expires_at)');
}

/** Adds the columns for the last uses of addresses and secrets. Their dates are in service time. */
async function lastUses(schema: MigrationSchema): Promise<void> {
  await schema.run('CREATE TABLE access_list_requirement (org_id {text} PRIMARY KEY) {strict}');
  await schema.run('ALTER TABLE access_list_entry ADD COLUMN request_count {int64} NOT NULL DEFAULT 0');
  await schema.run('ALTER TABLE access_list_entry ADD COLUMN last_used_at {int64}');
  await schema.run('ALTER TABLE access_list_entry ADD COLUMN last_used_address {text}');
  await schema.run('ALTER TABLE service_account_secret ADD COLUMN last_used_at {int64}');
}

/** Creates the table of the latest requests of organizations, numbered from 0. Each row contains a batch of them. */
async function requestTrail(schema: MigrationSchema): Promise<void> {
  await schema.run(`CREATE TABLE request_trail (
    org_id {text} NOT NULL,
    last {int64} NOT NULL,
    first {int64} NOT NULL,
    entries {text} NOT NULL,
    PRIMARY KEY (org_id, last)
  ) {strict}`);
  await schema.run(`CREATE TABLE request_trail_end (
    org_id {text} PRIMARY KEY,
    recorded {int64} NOT NULL
  ) {strict}`);
}

/** Creates the table of the last warning about the secrets of each service account. */
async function secretWarnings(schema: MigrationSchema): Promise<void> {
  await schema.run(`CREATE TABLE secret_warning (
    service_account_id {text} PRIMARY KEY REFERENCES service_account (id) ON DELETE CASCADE,
    secret_id {text} NOT NULL,
    stage {text} NOT NULL CHECK (stage IN ('EXPIRING', 'EXPIRED'))
  ) {strict}`);
  // Do not warn about secrets that expired before warnings existed.
  await schema.run(`INSERT INTO secret_warning (service_account_id, secret_id, stage)
    SELECT service_account_id, MIN(id), 'EXPIRED' FROM service_account_secret AS secret
    WHERE expires_at <= ${machineClock().now()} AND NOT EXISTS (
      SELECT 1 FROM service_account_secret AS other
      WHERE other.service_account_id = secret.service_account_id
      AND (other.expires_at IS NULL OR other.expires_at > secret.expires_at)
    )
    GROUP BY service_account_id`);
}
