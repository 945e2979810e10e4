/** Runs a public emulator of a similar API in a separate process. Prints the URL of the emulator's only cluster. */
import { createEmulator } from 'emulate';

const { url } = await createEmulator({ service: 'mongoatlas', port: 0 });
const groups = `${url}/api/atlas/v2/groups`;
const { results } = (await (await fetch(groups)).json()) as { results: { id: string }[] };
console.log(`${groups}/${results[0]?.id}/clusters/Cluster0`);
