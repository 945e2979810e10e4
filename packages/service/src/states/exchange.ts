import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory, writeAtomically } from '@portolan/foundation/atomic-file';
import { FIRST, PARTS, stateFolder, statesIn, WAL_FILES } from './layout.ts';

/**
 * Folders for the new and the previous parts during an exchange. Both folders are removed at the end of the exchange.
 */
const NEXT = '.next';
const FORMER = '.former';
/** The file that marks an exchange. Once it exists, the exchange will be completed, even after a crash. */
const MARK = 'exchange.json';
/**
 * The file that `undoExchange` renames to `MARK`. It is written before the exchange, so that a full disk cannot prevent
 * a rollback.
 */
const MARK_BACK = '.exchange-back.json';
/** Prefix of the name of a state while another state with the same name replaces it. */
const REPLACED = '.replaced-';

interface Mark {
  readonly from: string;
  readonly to: string;
  /** The parts that the folder `from` contained when the exchange began. */
  readonly staged: readonly string[];
}

const markFile = (dataDirectory: string) => join(statesIn(dataDirectory), MARK);

const markBackFile = (dataDirectory: string) => join(statesIn(dataDirectory), MARK_BACK);

/** Creates an empty folder for the new parts. */
export async function emptyNext(dataDirectory: string): Promise<string> {
  return emptied(stateFolder(dataDirectory, NEXT));
}

/** Removes the folder of new parts. */
export async function removeNext(dataDirectory: string): Promise<void> {
  await rm(stateFolder(dataDirectory, NEXT), { recursive: true, force: true });
}

/**
 * Replaces the parts of the service by those in `.next`. The service must have closed its parts. If the exchange is
 * interrupted before it writes the file `MARK`, nothing changes. If it is interrupted later, `finishExchange` completes
 * it.
 */
export async function exchange(dataDirectory: string): Promise<void> {
  await rm(markBackFile(dataDirectory), { force: true });
  await emptied(stateFolder(dataDirectory, FORMER));
  const back: Mark = { from: FORMER, to: NEXT, staged: partsIn(dataDirectory) };
  await writeAtomically(markBackFile(dataDirectory), JSON.stringify(back));
  const mark: Mark = { from: NEXT, to: FORMER, staged: partsIn(stateFolder(dataDirectory, NEXT)) };
  await writeAtomically(markFile(dataDirectory), JSON.stringify(mark));
  await finishExchange(dataDirectory);
}

const partsIn = (folder: string) => PARTS.filter((part) => existsSync(join(folder, part)));

/**
 * Restores the parts that the service had before `exchange`. This only renames files, so it works even if the exchange
 * was interrupted or the disk is full.
 */
export async function undoExchange(dataDirectory: string): Promise<void> {
  if (!existsSync(markBackFile(dataDirectory))) return;
  await rename(markBackFile(dataDirectory), markFile(dataDirectory));
  await finishExchange(dataDirectory);
}

/** Removes the previous parts, and those new parts that an exchange has left in `.next`. */
export async function removeFormer(dataDirectory: string): Promise<void> {
  await rm(markBackFile(dataDirectory), { force: true });
  await rm(stateFolder(dataDirectory, FORMER), { recursive: true, force: true });
  await removeNext(dataDirectory);
}

/** Completes an exchange. Each step can be repeated, so that an interruption at any point does no harm. */
export async function finishExchange(dataDirectory: string): Promise<void> {
  const text = await readFile(markFile(dataDirectory), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { from, to, staged } = JSON.parse(text) as Mark;
  for (const part of PARTS) {
    const [place, next, former] = [dataDirectory, from, to].map((folder, index) =>
      join(index === 0 ? folder : stateFolder(dataDirectory, folder), part),
    ) as [string, string, string];
    // Skip a staged part that no longer exists in its folder, since an interrupted exchange has already moved it.
    if (staged.includes(part) ? !existsSync(next) : !WAL_FILES.includes(part)) continue;
    if (existsSync(place)) await move(place, former);
    if (staged.includes(part)) await move(next, place);
  }
  await rm(markFile(dataDirectory));
  await syncDirectory(statesIn(dataDirectory));
}

/**
 * Removes the files that interrupted operations have left. No save or restore may be running at the same
 * time.
 */
export async function tidyStates(dataDirectory: string): Promise<void> {
  const folder = statesIn(dataDirectory);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.startsWith(REPLACED) && !existsSync(join(folder, name.slice(REPLACED.length))))
      await rename(path, join(folder, name.slice(REPLACED.length)));
    else if (name.startsWith('.') && name !== FIRST) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Renames a finished state to `name`, and replaces an existing state of this name. If the renaming is
 * interrupted, `tidyStates` restores the replaced state.
 */
export async function publishState(dataDirectory: string, made: string, name: string): Promise<void> {
  const place = stateFolder(dataDirectory, name);
  const replaced = stateFolder(dataDirectory, REPLACED + name);
  if (existsSync(place)) await rename(place, replaced);
  await rename(made, place);
  await syncDirectory(statesIn(dataDirectory));
  await rm(replaced, { recursive: true, force: true });
}

async function emptied(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function move(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}
