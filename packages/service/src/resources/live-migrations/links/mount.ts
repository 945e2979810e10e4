import { generalFaults } from '../../../api/faults.ts';
import type { Mount, MountRequest } from '../../../api/index.ts';
import { validator } from '../../../api/schema/validator.ts';
import { violationFault } from '../../../api/schema/violations.ts';
import type { Services } from '../../services.ts';
import { ordersFor, takeWork } from '../orders.ts';
import { REPORT_PATH, Report } from '../protocol.ts';
import { requireToken, takeReport } from './changes.ts';
import { linkFaults } from './rules.ts';

const isReport = validator(Report);

/** Where migration hosts report, and are told what to do. */
export function reportMount(services: Services): Mount {
  const { store, machine } = services;
  return {
    id: 'reportMigrationHost',
    method: 'POST',
    path: REPORT_PATH,
    async handle({ headers, body, address }) {
      // A token that is not good is told before its holder's mistakes.
      const { authorization } = headers;
      await store.read((tx) => requireToken(tx, services, { authorization, address }));
      const report = await readReport(body);
      const host = report.host ?? hostOf(address);
      const agent = await store.write(
        async (tx) => {
          const token = await requireToken(tx, services, { authorization, address });
          const reporting = { token, report, host, address, machineNow: machine.now() };
          const row = await takeReport(tx, reporting);
          await takeWork(tx, row, report);
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

/** How a host is listed that gives no name: by its address, in the form that answers take. */
function hostOf(address: string): string {
  if (/^[\d.]+$/.test(address)) return address;
  // The loopback address of IPv6 is that of the machine; others would have to be written out.
  if (address === '::1') return '127.0.0.1';
  throw linkFaults.MIGRATION_HOST_UNNAMED(address);
}
