import type { Migration } from '../../store/store.ts';

export const migrations: readonly Migration[] = [
  {
    number: 300,
    name: 'alert configurations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE alert_configuration (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          created {int64} NOT NULL,
          updated {int64} NOT NULL,
          enabled {int64} NOT NULL,
          event_type {text} NOT NULL,
          document {text} NOT NULL,
          secrets {bytes}
        ) {strict}`);
      await schema.run('CREATE INDEX alert_configuration_by_group ON alert_configuration (group_id, id)');
    },
  },
  {
    number: 301,
    name: 'alerts and notifications',
    async up(schema) {
      await schema.run(
        'CREATE INDEX alert_configuration_by_event ON alert_configuration (group_id, event_type, enabled)',
      );
      // There is no foreign key to the configuration, since alerts outlive it.
      await schema.run(`
        CREATE TABLE alert (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          configuration_id {text} NOT NULL,
          event_type {text} NOT NULL,
          target {text} NOT NULL,
          cluster_id {text},
          status {text} NOT NULL,
          created {int64} NOT NULL,
          updated {int64} NOT NULL,
          last_notified {int64},
          resolved {int64},
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX alert_by_group ON alert (group_id, id)');
      await schema.run('CREATE INDEX alert_by_status ON alert (group_id, status, id)');
      await schema.run('CREATE INDEX alert_by_configuration ON alert (configuration_id, status, id)');
      await schema.run(
        "CREATE UNIQUE INDEX alert_live ON alert (configuration_id, target) WHERE status <> 'CLOSED'",
      );
      await schema.run(
        "CREATE INDEX alert_live_by_target ON alert (group_id, target, event_type) WHERE status <> 'CLOSED'",
      );
      await schema.run("CREATE INDEX alert_live_by_cluster ON alert (cluster_id) WHERE status <> 'CLOSED'");
      await schema.run(`
        CREATE TABLE notification (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          alert_id {text},
          created {int64} NOT NULL,
          kind {text} NOT NULL,
          reason {text} NOT NULL,
          outcome {text} NOT NULL,
          document {text} NOT NULL
        ) {strict}`);
      await schema.run('CREATE INDEX notification_by_alert ON notification (alert_id, id)');
      await schema.run('CREATE INDEX notification_by_group ON notification (group_id, id)');
    },
  },
  {
    number: 302,
    name: 'third-party integrations',
    async up(schema) {
      await schema.run(`
        CREATE TABLE integration (
          id {text} PRIMARY KEY,
          group_id {text} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
          type {text} NOT NULL,
          document {text} NOT NULL,
          secrets {bytes}
        ) {strict}`);
      await schema.run('CREATE UNIQUE INDEX integration_by_type ON integration (group_id, type)');
    },
  },
  {
    number: 303,
    name: 'billing facts and recorded elections',
    async up(schema) {
      await schema.run(`
        CREATE TABLE billing_fact (
          org_id {text} PRIMARY KEY REFERENCES organization (id) ON DELETE CASCADE,
          document {text} NOT NULL
        ) {strict}`);
      await schema.run(
        'CREATE TABLE told_election (cluster_id {text} PRIMARY KEY, through {int64} NOT NULL) {strict}',
      );
      await schema.run("CREATE INDEX alert_live_by_event ON alert (event_type) WHERE status <> 'CLOSED'");
      await schema.run(
        'CREATE INDEX alert_configuration_enabled ON alert_configuration (event_type, group_id) WHERE enabled = 1',
      );
    },
  },
  {
    number: 304,
    name: 'integrations that alert configurations use',
    async up(schema) {
      await schema.run(`
        CREATE TABLE alert_configuration_integration (
          configuration_id {text} NOT NULL REFERENCES alert_configuration (id) ON DELETE CASCADE,
          integration_id {text} NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
          PRIMARY KEY (configuration_id, integration_id)
        ) {strict}`);
      await schema.run(
        'CREATE INDEX alert_configuration_by_integration ON alert_configuration_integration (integration_id)',
      );
      const db = schema.from<FormerTables>();
      const integrations = await db.selectFrom('integration').select('id').execute();
      const known = new Set(integrations.map(({ id }) => id));
      for await (const { id, document } of schema.rows<FormerConfiguration>('alert_configuration', 'id')) {
        const { notifications }: FormerDocument = JSON.parse(document);
        const links = [...new Set(notifications.map(({ integrationId = '' }) => integrationId))]
          .filter((integration) => known.has(integration))
          .map((integration) => ({ configuration_id: id, integration_id: integration }));
        if (links.length > 0) await db.insertInto('alert_configuration_integration').values(links).execute();
      }
    },
  },
  {
    number: 305,
    name: 'no index of enabled configurations',
    async up(schema) {
      // Drop the index, because nothing needs it: the evaluation of alerts begins with the few projects that have
      // clusters or keys. The index makes it slow to create a project. A project has ten enabled configurations, and
      // each of them changes another page of the index.
      await schema.run('DROP INDEX alert_configuration_enabled');
    },
  },
  {
    number: 306,
    name: 'weights of alert configurations',
    async up(schema) {
      await schema.run('ALTER TABLE alert_configuration ADD COLUMN weight {int64} NOT NULL DEFAULT 0');
      await schema.run('UPDATE alert_configuration SET weight = length(document)');
    },
  },
  {
    number: 307,
    name: 'ages of closed alerts and of notifications',
    async up(schema) {
      await schema.run("CREATE INDEX alert_closed ON alert (resolved) WHERE status = 'CLOSED'");
      await schema.run('CREATE INDEX notification_by_age ON notification (created)');
    },
  },
];

/** A row as it was before migration 304. */
interface FormerConfiguration {
  readonly id: string;
  readonly document: string;
}

interface FormerDocument {
  readonly notifications: ReadonlyArray<{ readonly integrationId?: string }>;
}

interface FormerTables {
  integration: { id: string };
  alert_configuration_integration: { configuration_id: string; integration_id: string };
}
