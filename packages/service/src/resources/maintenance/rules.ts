import { faults } from '@portolan/foundation/faults';
import { badValue } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import type { Maintenance } from './rows.ts';
import type { MaintenanceWindow } from './schema.ts';
import { isProtected, type Window } from './window.ts';

export const maintenanceFaults = faults({
  PLATFORM_MAINTENANCE_ALREADY_SCHEDULED: [
    400,
    'Maintenance is scheduled; its window can be changed once that is done.',
  ],
  PLATFORM_MAINTENANCE_NOT_SCHEDULED: [400, 'The project has no maintenance ahead.'],
  PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED: [400, 'The project has no maintenance window.'],
  PLATFORM_NUM_MAINTENANCE_DEFERRALS_EXCEEDED: [400, 'Maintenance is put off twice at most.'],
});

export const maintenanceEvents = {
  MAINTENANCE_IN_ADVANCED: 'Maintenance is ahead',
  MAINTENANCE_AUTO_DEFERRED: 'Maintenance was put off',
  MAINTENANCE_STARTED: 'Maintenance began',
  MAINTENANCE_NO_LONGER_NEEDED: 'Maintenance is not needed any more',
} as const satisfies EventTypes;

export const MOST_DEFERRALS = 2;

/** In a day so many hours are left at least. */
const FEWEST_OPEN_HOURS = 6;

/** The window that a body asks for; what it does not name stays. */
export function readWindow(body: MaintenanceWindow, before: Window | undefined): Window {
  const hour = body.hourOfDay ?? before?.hour ?? 0;
  const { startHourOfDay: start, endHourOfDay: end } = body.protectedHours ?? {};
  const asked = start === undefined || end === undefined ? undefined : { start, end };
  const protectedHours = asked ?? before?.protectedHours;
  if (protectedHours === undefined) return { day: body.dayOfWeek, hour };
  const open = Array.from({ length: 24 }, (_, each) => each).filter(
    (each) => !isProtected(protectedHours, each),
  );
  if (open.length < FEWEST_OPEN_HOURS) {
    throw badValue('protectedHours', `leave fewer than ${FEWEST_OPEN_HOURS} hours of a day`);
  }
  if (!open.includes(hour)) throw badValue('protectedHours', 'hold the hour of the window');
  return { day: body.dayOfWeek, hour, protectedHours };
}

export function requireWindow({ window }: Maintenance): Window {
  if (window === undefined) throw maintenanceFaults.PLATFORM_MAINTENANCE_WINDOW_NOT_DEFINED();
  return window;
}

export function requireScheduled({ scheduled, started }: Maintenance): Date {
  if (scheduled === undefined || started) throw maintenanceFaults.PLATFORM_MAINTENANCE_NOT_SCHEDULED();
  return scheduled;
}
