import type { Command } from '../context/command.ts';
import { clusterParameterCommands } from './cluster-parameters.ts';
import { defaultConcernCommands } from './default-concerns.ts';
import { featureCompatibilityCommands } from './feature-compatibility.ts';
import { lockCommands } from './locks.ts';
import { maintenanceCommands } from './maintenance.ts';
import { parameterCommands } from './parameters.ts';
import { profileCommands } from './profile.ts';
import { serverControlCommands } from './server-control.ts';

/** Server administration commands. */
export const administrationCommands: readonly Command[] = [
  ...parameterCommands,
  ...clusterParameterCommands,
  ...defaultConcernCommands,
  ...featureCompatibilityCommands,
  ...lockCommands,
  ...profileCommands,
  ...serverControlCommands,
  ...maintenanceCommands,
];
