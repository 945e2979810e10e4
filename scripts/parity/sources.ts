import { execFileSync } from 'node:child_process';
import { type Recording, readRecordings } from './recordings.ts';
import { readScenarios } from './scenarios.ts';

export const cli = 'mongodb/mongodb-atlas-cli';
export const provider = 'mongodb/terraform-provider-mongodbatlas';

/** The public repositories with recordings, and where the recordings are. */
export const repositories = {
  [cli]: { name: 'Atlas CLI', files: 'test/e2e/**/.snapshots' },
  [provider]: { name: 'Terraform provider', files: 'internal/**/testdata/*.yaml' },
} as const;

type Repository = keyof typeof repositories;

/** The recordings in one checkout of a public repository. */
export interface Source {
  readonly repository: Repository;
  readonly commit: string;
  readonly stories: ReadonlyMap<string, readonly Recording[]>;
  /** Whether differences from the recordings have been used to correct this service. */
  readonly usedForCorrections: boolean;
  /** Whether each story gets a project of its own. */
  readonly ownProjects: boolean;
}

/** The commits whose recordings have been used for corrections. */
const used = new Set([
  '8ddea41a82ec904146d5f1b8d6578acedcc4a3a6',
  '468253dbf681e3de490d5c8c1fced537a66e2ae9',
]);

export function readSource(checkout: string): Source {
  const commit = execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const common = { commit, usedForCorrections: used.has(commit) };
  const recordings = readRecordings(checkout);
  if (recordings.size > 0) return { ...common, repository: cli, stories: recordings, ownProjects: false };
  return { ...common, repository: provider, stories: readScenarios(checkout), ownProjects: true };
}
