import { ConfigError } from '@portolan/foundation/command-line';
import { readConfig } from '@portolan/service/settings';
import { clockActions } from './clock-actions.ts';
import type { Command } from './command.ts';
import { usage, usageOf } from './help.ts';
import { kubernetesActions } from './kubernetes-actions.ts';
import { shells } from './shells.ts';
import { stateActions } from './state-actions.ts';

/** All commands. The code of a command is loaded when the command runs, so that `start` loads no other commands. */
export const commands: Readonly<Record<string, Command>> = {
  start: {
    summary: 'starts the service; with --ephemeral, the service deletes all its data when it stops',
    flags: 'settings',
    async run(args) {
      const config = readConfig(args, process.env);
      const { start } = await import('./start.ts');
      return start(config);
    },
  },
  stop: {
    summary: 'stops the running service of a data directory: --data-dir DIR',
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
    summary: 'saves and restores the state of a running service with all its databases',
    actions: stateActions,
    flags: { 'data-dir': 'the data directory of the service' },
    async run(args) {
      const { state } = await import('./state.ts');
      return state(args);
    },
  },
  adopt: {
    summary:
      'adds an existing deployment to a project as a cluster: URI --name NAME (- reads the URI from standard input)',
    flags: {
      name: 'the name of the new cluster',
      project: 'the id of the project of the cluster; by default the first project',
      'ca-file': 'a PEM file with the certificate authority of the servers',
      'certificate-file': 'a PEM file with a client certificate and its private key',
      'data-dir': 'the data directory of the service',
    },
    async run(args) {
      const { adopt } = await import('./adopt.ts');
      return adopt(args);
    },
  },
  kubernetes: {
    summary: 'prepares a Kubernetes cluster for the service',
    actions: kubernetesActions,
    flags: { namespace: 'the namespace in which the service runs, by default portolan' },
    async run(args) {
      const { kubernetes } = await import('./kubernetes.ts');
      return kubernetes(args);
    },
  },
  console: {
    summary: 'prints a login link for the console of a running service; the link works once',
    flags: 'settings',
    async run(args) {
      const config = readConfig(args, process.env);
      const { printConsoleLink } = await import('./console-link.ts');
      return printConsoleLink(config['data-dir']);
    },
  },
  engine: {
    summary:
      'runs one replica set without the service: [--data-dir DIR] [--port N] [--tls-cert FILE --tls-key FILE] [--stay]',
    flags: {
      'data-dir': 'the folder with the data; by default a temporary folder',
      port: 'the port of the first member, by default 27100; 0 chooses free ports',
      'tls-cert': 'the certificate of the members (PEM), which then accept only TLS connections',
      'tls-key': 'the private key of --tls-cert (PEM)',
      stay: 'keep running when the command that started it ends',
    },
    async run(args) {
      const { runEngine } = await import('@portolan/engine/command-line');
      return runEngine(args);
    },
  },
  link: {
    summary:
      'runs a migration host, which copies deployments into clusters of a service: --token TOKEN --source mongodb://…',
    flags: {
      token: 'the link token; by default the value of PORTOLAN_LINK_TOKEN',
      source: 'a deployment to migrate: [NAME=]mongodb://…; repeatable',
      project: 'the project name under which the service lists the sources',
      organization: 'the organization name under which the service lists the sources',
      host: 'the name of this migration host; by default its address',
      'ca-file': 'a PEM file with the certificate authority of the service and its clusters',
      stay: 'keep running when the command that started it ends',
    },
    async run(args) {
      const { link } = await import('../link/link.ts');
      return link(args);
    },
  },
  tour: {
    summary: 'runs a walkthrough of the service in a new data directory, and prints how long each step takes',
    async run([unknown]) {
      if (unknown !== undefined) throw new ConfigError(`tour takes no settings, but got ${unknown}`);
      const { tour } = await import('../tour/tour.ts');
      return (await tour(console.log)) ? 0 : 1;
    },
  },
  doctor: {
    summary:
      'checks whether the service can start with the given settings and, if it already runs, whether it is healthy',
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
    summary: 'prints this text; help COMMAND describes one command',
    async run([name = '']) {
      const command = Object.hasOwn(commands, name) && name !== 'help' ? commands[name] : undefined;
      console.log(command === undefined ? usage(commands) : usageOf(name, command));
      return 0;
    },
  },
};
