import type { Part } from '../part.ts';
import { downloadFaults } from './faults.ts';
import { archiveMount } from './mount.ts';
import { packDownload, removeArchives, unlinkDownload } from './tasks.ts';

export const downloads: Part = {
  tasks: [packDownload, unlinkDownload, removeArchives],
  mounts: [archiveMount],
  eventTypes: { CPS_SNAPSHOT_DOWNLOAD_REQUEST_FAILED: 'Download of a snapshot failed' },
  faults: [downloadFaults],
};
