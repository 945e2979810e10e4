import { ConfigError, readConfig } from './config.ts';

const USAGE = `usage: portolan start | stop | engine | link | tour [--setting value …]

  start    serves the API and its databases; --ephemeral keeps nothing
  stop     ends the service of a data directory: --data-dir DIR
  engine   one replica set without the service: [--data-dir DIR] [--port N] [--stay]
  link     migrates deployments for a service: --token TOKEN --source mongodb://…
  tour     plays the whole story on a fresh data directory

The settings are in docs/settings.md.`;

/** The command line: `start`, `stop`, `engine`, `link`, `tour`, `help`. Modules are loaded by the command that needs them. */
const commands: Readonly<Record<string, (args: readonly string[]) => Promise<number>>> = {
  async start(args) {
    const config = readConfig(args, process.env);
    const { start } = await import('./start.ts');
    return start(config);
  },
  async stop(args) {
    const config = readConfig(args, process.env);
    const { stop } = await import('./stop.ts');
    return stop(config['data-dir']);
  },
  async engine(args) {
    const { engineAlone } = await import('./engine-alone.ts');
    return engineAlone(args);
  },
  async link(args) {
    const { link } = await import('./link/link.ts');
    return link(args);
  },
  async tour([unknown]) {
    if (unknown !== undefined) throw new ConfigError(`tour takes no settings; it was given ${unknown}`);
    const { tour } = await import('./tour/tour.ts');
    return (await tour(console.log)) ? 0 : 1;
  },
  async help() {
    console.log(USAGE);
    return 0;
  },
};

const [name = 'start', ...args] = process.argv.slice(2);
const asksHelp = [name, ...args].some((one) => one === '--help' || one === '-h');
const command = asksHelp
  ? commands.help
  : (commands[name] ?? (name.startsWith('-') ? commands.start : undefined));
try {
  if (!command) throw new ConfigError(`There is no command ${name}; see portolan help`);
  process.exitCode = await command(name.startsWith('-') ? [name, ...args] : args);
} catch (error) {
  const expected = error instanceof ConfigError || isPlain(error);
  console.error(expected ? `portolan: ${(error as Error).message}` : error);
  process.exitCode = 1;
}

/** Errors that parts of the service throw with one clear sentence for people. */
function isPlain(error: unknown): boolean {
  return (
    error instanceof Error &&
    ['StoreError', 'CertificateError', 'EngineUnavailable', 'LinkError'].includes(error.name)
  );
}
