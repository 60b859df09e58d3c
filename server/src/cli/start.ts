import { Command, InvalidArgumentError, Option } from 'commander'
import { findConfig, type GlobalOptions } from './config.ts'

interface StartOptions extends GlobalOptions {
  readonly port?: number
  readonly host?: string
  readonly controlPort?: number
}

/** Makes `svc start`, which starts the service by its config; without one, the sandbox. */
export function startCommand(): Command {
  return new Command('start')
    .summary('start the service; without a config, the sandbox')
    .description(
      'Starts the service that the config describes, after it has asked every endpoint whether it serves the chain meant and knows the ' +
        'validator. An endpoint of another chain or an unknown validator is refused; one that does not answer is a warning.\n\n' +
        'Without a config it starts the sandbox: the local chains of every installed plugin, the service on them, one account with an ' +
        'API key and a management token, and funded wallets with public test keys.',
    )
    .addOption(
      new Option('-p, --port <number>', "port of the service; 0: any free one (config's, else PORT, else 3000)")
        .env('SVC_PORT')
        .argParser(port),
    )
    .addOption(new Option('--host <address>', "address to listen on (config's, else 127.0.0.1)").env('SVC_HOST'))
    .addOption(
      new Option('--control-port <number>', "port of the sandbox's control; 0: any free one (the service's + 1)")
        .env('SVC_CONTROL_PORT')
        .argParser(port),
    )
    .addHelpText(
      'after',
      `
Environment, in addition to what is named with the options:
  SVC_DATA       data folder of the sandbox (.svc)
  SVC_LOG_LEVEL  log of the sandbox, from fatal to trace, or silent (warn)
  DATABASE_URL   PostgreSQL instead of the embedded database
  REDIS_URL      Redis, to share rate limits between replicas
  PORT           port, where no option, SVC_PORT or config says one

SIGINT and SIGTERM stop it: requests under way are answered and recorded first.
A second one ends it at once. SIGHUP has it serve its config as it is then, as
\`svc reload\` does.

Examples:
  $ svc start
  $ svc start --port 8080
  $ svc start --config /etc/svc/svc.config.ts --host 0.0.0.0`,
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<StartOptions>()
      const config = findConfig(options)
      const source = command.getOptionValueSource('port')
      const settings = { ...options, portBy: source === 'cli' ? ('--port' as const) : source === 'env' ? ('SVC_PORT' as const) : undefined }
      if (config) {
        const { runPrimary } = await import('../start/primary/primary.ts')
        const { port, host } = options
        await runPrimary({
          ...{ file: config, portBy: settings.portBy },
          ...(port === undefined ? {} : { port }),
          ...(host === undefined ? {} : { host }),
        })
      } else {
        const { tryOut } = await import('../start/try-out.ts')
        await tryOut(settings)
      }
    })
}

function port(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number <= 65_535) return number
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}
