import { dirname, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { InitOptions } from '../init/init.ts'
import { findConfig, type GlobalOptions } from './config.ts'
import { count, words } from './option-values.ts'
import { Refusal } from './refusal.ts'

/** Makes `svc init`, which writes the first config of a folder. */
export function initCommand(): Command {
  return new Command('init')
    .summary('ask what to serve, and write the config')
    .description(
      'Asks which of the installed protocols to serve, on which networks and over which endpoints, for whom, and where the state is kept. It ' +
        'writes svc.config.json (or the file that --config names), makes the secrets and puts each into a file that only its owner may read, and ' +
        'says what comes next. It asks no endpoint: that is what svc check does.\n\n' +
        'Every question has an option. With --yes nothing is asked: what has a default takes it, and what has none is named. A file that is ' +
        'there is never written over.',
    )
    .option('--protocols <names>', 'plugins to serve, or all; by package or short name', words)
    .option('--network <plugin/chain>', 'network to enable, with =NAME its name; repeatable', collect)
    .option('--endpoint <plugin/chain=url>', 'endpoint, first best; /GROUP behind the chain', collect)
    .option('--set <plugin/chain/name=value>', "a plugin's own setting; repeatable", collect)
    .option('--account <id>', 'the first customer: small letters, digits, hyphens')
    .option('--account-name <text>', 'what the customer is called')
    .option('--database <address>', 'postgres://…, or embedded')
    .option('--redis <address>', 'redis://…, or none')
    .option('--secrets <folder>', 'folder for the secrets; environment: a file svc.env')
    .option('--secrets-at <path>', 'where the service will find that folder')
    .addOption(new Option('--port <number>', 'port to listen on, on all addresses').argParser(port))
    .option('--metrics-port <number>', 'port of the counters for Prometheus', port)
    .option('--trusted-proxies <list>', 'addresses of proxies in front', words)
    .option('--public-url <url>', 'where callers reach the service')
    .option('--workers <number>', 'processes that serve side by side', count(64))
    .option('-y, --yes', 'ask nothing')
    .addHelpText(
      'after',
      `
Examples:
  $ svc init
  $ svc init --yes --protocols evm-three --account acme \\
      --endpoint evm-three/143=https://rpc.example.org \\
      --set evm-three/143/validator_id=12
  $ svc init --database postgres://svc:…@db/svc --redis redis://cache:6379
  $ svc init --secrets secrets --secrets-at /run/secrets`,
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & InitOptions & { readonly yes?: boolean }>()
      const present = findConfig(options.config === undefined ? {} : { config: options.config })
      const file = options.config === undefined ? resolve('svc.config.json') : resolve(options.config)
      if (!file.endsWith('.json'))
        throw new Refusal(`${file}: svc init writes JSON, so its name has to end in .json, as svc.config.json does.`)
      const { assertAbsent } = await import('../init/files.ts')
      assertAbsent(options.config === undefined ? (present ?? file) : file)
      const { createQuestions } = await import('../init/prompt.ts')
      const { init } = await import('../init/init.ts')
      const questions = createQuestions(options.yes === true)
      try {
        console.log(await init({ file, folder: dirname(file) }, options, questions))
      } finally {
        questions.close()
      }
    })
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

function port(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= 65_535) return number
  throw new InvalidArgumentError('It must be a number from 1 to 65535.')
}
