/** The name of the cluster that exists throughout the run. Drivers write to it. */
export const STEADY = 'steady';
