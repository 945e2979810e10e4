import { operation } from '../services.ts';
import { changeWindow, deferMaintenance, resetWindow, toggleAutoDefer } from './changes.ts';
import { type Maintenance, maintenanceOf } from './rows.ts';
import { FirstWindow, FirstWindowView, MaintenanceWindow, WindowView } from './schema.ts';

/** The time zone of days and hours, because projects have no time zone. */
const TIME_ZONE = 'UTC';

const presentWindow = ({ window, autoDefer, deferrals, startAsap }: Maintenance) => ({
  autoDeferOnceEnabled: autoDefer,
  dayOfWeek: window?.day ?? 0,
  hourOfDay: window?.hour ?? 0,
  numberOfDeferrals: deferrals,
  ...(window?.protectedHours && {
    protectedHours: {
      endHourOfDay: window.protectedHours.end,
      startHourOfDay: window.protectedHours.start,
    },
  }),
  startASAP: startAsap,
  timeZoneId: TIME_ZONE,
});

const common = { access: 'Project Owner' } as const;
/** The first resource version returns no body. */
const silent = { '2023-01-01': { status: 204 }, '2025-03-12': 'same' } as const;

export const getWindow = operation({
  id: 'getMaintenanceWindow',
  tag: 'Maintenance Windows',
  method: 'GET',
  path: '/groups/{groupId}/maintenanceWindow',
  ...common,
  summary: 'Returns the maintenance window of a project.',
  versions: {
    '2023-01-01': {
      reply: FirstWindowView,
      write: ({ autoDeferOnceEnabled, dayOfWeek, hourOfDay, startASAP }) => ({
        ...{ autoDeferOnceEnabled, dayOfWeek, hourOfDay, startASAP },
      }),
    },
    '2025-03-12': 'same',
  },
  reply: WindowView,
  status: 200,
  reachedFrom: { project: 'maintenanceWindow' },
  handler: (call) => call.read(async (tx) => presentWindow(await maintenanceOf(tx, call.params.groupId))),
});

export const updateWindow = operation({
  id: 'updateMaintenanceWindow',
  tag: 'Maintenance Windows',
  method: 'PATCH',
  path: '/groups/{groupId}/maintenanceWindow',
  ...common,
  summary: 'Sets the maintenance window of a project, or starts scheduled maintenance immediately.',
  versions: { '2023-01-01': { status: 204, body: FirstWindow }, '2025-03-12': 'same' },
  body: MaintenanceWindow,
  status: 200,
  async handler(call) {
    const { groupId } = call.params;
    await call.write((tx) => changeWindow(tx, groupId, call.body));
  },
});

export const deleteWindow = operation({
  id: 'resetMaintenanceWindow',
  tag: 'Maintenance Windows',
  method: 'DELETE',
  path: '/groups/{groupId}/maintenanceWindow',
  ...common,
  summary: 'Deletes the maintenance window of a project. Maintenance can then start at any time.',
  status: 204,
  async handler({ write, params }) {
    await write((tx) => resetWindow(tx, params.groupId));
  },
});

export const toggleDeferral = operation({
  id: 'toggleMaintenanceAutoDefer',
  tag: 'Maintenance Windows',
  method: 'POST',
  path: '/groups/{groupId}/maintenanceWindow/autoDefer',
  ...common,
  summary: 'Enables or disables the automatic deferral of maintenance by one week.',
  versions: silent,
  status: 200,
  async handler({ write, params }) {
    await write((tx) => toggleAutoDefer(tx, params.groupId));
  },
});

export const deferWindow = operation({
  id: 'deferMaintenanceWindow',
  tag: 'Maintenance Windows',
  method: 'POST',
  path: '/groups/{groupId}/maintenanceWindow/defer',
  ...common,
  summary: 'Defers scheduled maintenance by a week.',
  versions: silent,
  status: 200,
  async handler({ write, params }) {
    await write((tx) => deferMaintenance(tx, params.groupId));
  },
});
