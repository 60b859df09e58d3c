import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { configPath, type GlobalOptions, load } from './config.ts'
import { Refusal } from './refusal.ts'

interface Options extends GlobalOptions {
  readonly account: string
  readonly url?: string
  readonly diff?: string
}

/** Makes `svc trust`, which writes the document that a customer pins. */
export function trustCommand(): Command {
  return new Command('trust')
    .summary('print what a customer pins: keys and terms')
    .description(
      'Prints the trust document of an account, as JSON: who signs the answers of this service, and on which terms it crafts. The customer ' +
        'gets it once, by another way than the API, and his client refuses every transaction on other terms.\n\n' +
        'With --diff it says instead what has changed since a document that was handed out, and ends with 1 when anything has.',
    )
    .requiredOption('-a, --account <id>', 'the account')
    .option('-u, --url <url>', 'where the customer reaches the service; else public_url, or where it listens')
    .option('-d, --diff <file>', 'a document that was printed before')
    .addHelpText(
      'after',
      `
Examples:
  $ svc trust -a acme -u https://staking.example > acme.trust.json
  $ svc trust -a acme -u https://staking.example --diff acme.trust.json`,
    )
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<Options>()
      const file = await configPath(options)
      const loaded = await load(file)
      const { differences, readTrust, trustOf } = await import('../trust.ts')
      const { listenUrl } = await import('@svc/core')
      const { listen, public_url } = loaded.config
      const trust = await trustOf(file, loaded, options.account, options.url ?? public_url ?? listenUrl(listen.host, listen.port))
      if (options.diff === undefined) return console.log(JSON.stringify(trust, null, 2))
      const changes = differences(readTrust(await textOf(options.diff), options.diff), trust)
      if (changes.length === 0) return console.log('Nothing has changed.')
      for (const change of changes) console.log(`- ${change}`)
      process.exitCode = 1
    })
}

async function textOf(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: Error) => {
    throw new Refusal(`${file} could not be read: ${error.message}.`)
  })
}
