/** The name of the cluster that exists throughout the run and that drivers write to. */
export const STEADY = 'steady';
