import { Command, Option } from 'commander'
import { version } from '../home.ts'
import { acceptCommand } from './accept.ts'
import { auditCommand } from './audit.ts'
import { checkCommand } from './check.ts'
import { completionCommand } from './completion.ts'
import { eventsCommand } from './events.ts'
import { initCommand } from './init.ts'
import { inspectorCommand } from './inspector.ts'
import { keysCommand } from './keys.ts'
import { endQuietlyWithPipe } from './output.ts'
import { explain } from './refusal.ts'
import { reloadCommand } from './reload.ts'
import { startCommand } from './start.ts'
import { statementsCommand } from './statements.ts'
import { tokensCommand } from './tokens.ts'
import { trustCommand } from './trust.ts'
import { txCommand } from './tx.ts'
import { upgradeCheckCommand } from './upgrade-check.ts'
import { webhooksCommand } from './webhooks.ts'

/** Runs the command line. Sets the exit code; refusals are sentences on stderr. */
export async function run(argv: readonly string[]): Promise<void> {
  endQuietlyWithPipe()
  const program = createProgram()
  try {
    await program.parseAsync(argv)
  } catch (error) {
    console.error(`svc: ${explain(error)}`)
    if (program.opts<{ debug?: boolean }>().debug || process.env.SVC_DEBUG) console.error(error)
    // Not by itself: what was begun, such as a connection that still waits, would keep the process.
    process.exit(1)
  }
}

/** The whole command line; every command brings what it needs only when it is run. */
function createProgram(): Command {
  const program = new Command('svc')
    .description('A non-custodial staking transaction service: it crafts, checks, assembles and broadcasts; keys stay with its callers.')
    .version(version(), '-V, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addOption(new Option('-c, --config <file>', 'config file; else svc.config.{ts,mts,js,mjs,json} in this folder').env('SVC_CONFIG'))
    .addOption(new Option('--debug', 'show where an error came from (or set SVC_DEBUG=1)'))
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(svc --help shows what there is)')
    .addHelpText(
      'after',
      `
Without a config, svc start runs the sandbox: the service on local chains, with
a key and funded test wallets. The other commands then work on the sandbox.

Examples:
  $ svc init                                  write the first config
  $ svc start                                 the config here, or the sandbox
  $ svc check --config live.config.ts         is everything as it should be?
  $ svc reload                                serve the config as it is now
  $ svc tokens create --account acme --name console
  $ svc keys create --account acme --name backend
  $ svc audit --account acme --limit 20       what was asked last
  $ svc tx HASH                               what became of it
  $ svc events --severity critical            what somebody else has done
  $ svc statements > november.csv             what was staked, earned, paid out
  $ svc trust --account acme                  what a customer pins
  $ svc inspector > inspector.html            reads transactions, offline
  $ source <(svc completion bash)             words by the tabulator`,
    )
  for (const command of [
    initCommand(),
    startCommand(),
    reloadCommand(),
    checkCommand(),
    upgradeCheckCommand(),
    acceptCommand(),
    keysCommand(),
    tokensCommand(),
    auditCommand(),
    eventsCommand(),
    statementsCommand(),
    webhooksCommand(),
    txCommand(),
    trustCommand(),
    inspectorCommand(),
    completionCommand(),
  ]) {
    program.addCommand(command)
    inherit(command, program)
  }
  return program
}

/** One manner of help and of errors, down to the last command. */
function inherit(command: Command, parent: Command): void {
  command.copyInheritedSettings(parent).helpOption('-h, --help', 'show this help')
  for (const child of command.commands) inherit(child, command)
}
