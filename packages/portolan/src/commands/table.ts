import { ConfigError } from '@portolan/foundation/command-line';
import { readConfig } from '@portolan/service/config';
import { clockActions } from './clock-actions.ts';
import type { Command } from './command.ts';
import { shells } from './shells.ts';
import { stateActions } from './state-actions.ts';
import { usage, usageOf } from './usage.ts';

/** All commands. The code of a command is loaded when it runs, so that `start` does not load the others. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    summary: 'starts the service; with --ephemeral all data is discarded at the end',
    flags: 'settings',
    async run(args) {
      const config = readConfig(args, process.env);
      const { start } = await import('./start.ts');
      return start(config);
    },
  },
  stop: {
    summary: 'stops the service of a data directory: --data-dir DIR',
    flags: 'settings',
    async run(args) {
      const config = readConfig(args, process.env);
      const { stop } = await import('./stop.ts');
      return stop(config['data-dir']);
    },
  },
  clock: {
    summary: 'shows or changes the service time of a running service',
    actions: clockActions,
    flags: { 'data-dir': 'the data directory of the service' },
    async run(args) {
      const { clock } = await import('./clock.ts');
      return clock(args);
    },
  },
  state: {
    summary: 'saves and restores the state of a running service, including its databases',
    actions: stateActions,
    flags: { 'data-dir': 'the data directory of the service' },
    async run(args) {
      const { state } = await import('./state.ts');
      return state(args);
    },
  },
  adopt: {
    summary:
      'adopts a deployment that others run as a cluster: URI --name NAME; - reads the URI from standard input',
    flags: {
      name: 'the name of the cluster',
      project: 'the id of its project; by default the first one',
      'ca-file': 'the certificate authority of the servers',
      'certificate-file': 'a certificate with its private key to log in with',
      'data-dir': 'the data directory of the service',
    },
    async run(args) {
      const { adopt } = await import('./adopt.ts');
      return adopt(args);
    },
  },
  console: {
    summary: 'prints a link that logs in to the console of a running service once',
    flags: 'settings',
    async run(args) {
      const config = readConfig(args, process.env);
      const { printConsoleLink } = await import('./console-link.ts');
      return printConsoleLink(config['data-dir']);
    },
  },
  engine: {
    summary: 'runs one replica set without the service: [--data-dir DIR] [--port N] [--stay]',
    flags: {
      'data-dir': 'the data directory',
      port: 'the first port of its members',
      stay: 'keep running when the parent process ends',
    },
    async run(args) {
      const { runEngine } = await import('@portolan/engine/command');
      return runEngine(args);
    },
  },
  link: {
    summary: 'runs a migration host for a service: --token TOKEN --source mongodb://…',
    flags: {
      token: 'the token of the migration link',
      source: 'a deployment to migrate: [NAME=]mongodb://…',
      project: 'the name of the project of the sources',
      organization: 'the name of the organization of the sources',
      host: 'the name of this host',
      'ca-file': 'the certificate authority of the service',
      stay: 'keep running when the parent process ends',
    },
    async run(args) {
      const { link } = await import('../link/link.ts');
      return link(args);
    },
  },
  tour: {
    summary: 'demonstrates the service on a new data directory',
    async run([unknown]) {
      if (unknown !== undefined) throw new ConfigError(`tour takes no settings, but got ${unknown}`);
      const { tour } = await import('../tour/tour.ts');
      return (await tour(console.log)) ? 0 : 1;
    },
  },
  doctor: {
    summary: 'checks whether a service with these settings can start, or whether the running one is healthy',
    flags: 'settings',
    async run(args) {
      const { doctor } = await import('./doctor.ts');
      return doctor(args);
    },
  },
  completion: {
    summary: 'prints a completion script for a shell',
    actions: shells,
    async run(args) {
      const { completion } = await import('./completion.ts');
      process.stdout.write(completion(commands, args));
      return 0;
    },
  },
  version: {
    summary: 'prints the version',
    async run() {
      const { buildInfo } = await import('@portolan/foundation/build-info');
      const { version, commit } = buildInfo();
      console.log(`portolan ${version} (${commit.slice(0, 7)}), Node.js ${process.version}`);
      return 0;
    },
  },
  help: {
    summary: 'prints this text, or that of one command',
    async run([name = '']) {
      const command = Object.hasOwn(commands, name) && name !== 'help' ? commands[name] : undefined;
      console.log(command === undefined ? usage(commands) : usageOf(name, command));
      return 0;
    },
  },
};
