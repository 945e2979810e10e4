import { generalFaults } from '../../api/faults.ts';
import type { Mount, MountRequest } from '../../api/index.ts';
import { validator } from '../../api/schema/validator.ts';
import { violationFault } from '../../api/schema/violations.ts';
import type { Services } from '../services.ts';
import { recordReport, requireToken } from './links/changes.ts';
import { linkFaults } from './links/faults.ts';
import { ordersFor, recordWork } from './orders.ts';
import { REPORT_PATH, Report } from './protocol.ts';

const isReport = validator(Report);

/** Returns the endpoint to which migration hosts report. The response contains the orders for the migration host. */
export function reportMount(services: Services): Mount {
  const { store, machine } = services;
  return {
    id: 'reportMigrationHost',
    method: 'POST',
    path: REPORT_PATH,
    async handle({ headers, body, address }) {
      // Reject an invalid token before validating the body.
      const { authorization } = headers;
      await store.read((tx) => requireToken(tx, services, { authorization, address }));
      const report = await readReport(body);
      const host = report.host ?? hostOf(address);
      const agent = await store.write(
        async (tx) => {
          const token = await requireToken(tx, services, { authorization, address });
          const reporting = { token, report, host, address, machineNow: machine.now() };
          const row = await recordReport(tx, reporting);
          await recordWork(tx, row, report);
          return row;
        },
        { synced: report.migrations.length + report.surveys.length > 0 },
      );
      const document = await store.read((tx) => ordersFor(tx, services, agent));
      return { status: 200, headers: { 'cache-control': 'no-store' }, body: '', document };
    },
  };
}

async function readReport(body: MountRequest['body']): Promise<Report> {
  let report: unknown;
  try {
    report = JSON.parse(body);
  } catch {
    throw generalFaults.MALFORMED_JSON();
  }
  const errors = await isReport(report);
  if (errors) throw violationFault(errors);
  return report as Report;
}

/**
 * Returns a name for a migration host that does not report its name. The name is the address, in a format that
 * responses allow.
 */
function hostOf(address: string): string {
  if (/^[\d.]+$/.test(address)) return address;
  // Convert the IPv6 loopback address to the IPv4 loopback address, since responses allow only IPv6 addresses in full
  // form.
  if (address === '::1') return '127.0.0.1';
  throw linkFaults.MIGRATION_HOST_UNNAMED(address);
}
