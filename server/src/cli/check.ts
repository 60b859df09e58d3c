import { Command } from 'commander'
import { configPath, type GlobalOptions } from './config.ts'

/** `svc check`: is everything as it should be? */
export function checkCommand(): Command {
  return new Command('check')
    .summary('check the config and everything that it names')
    .description(
      'Checks the config, asks every endpoint of every network which chain it serves and whether the validator exists there, shows what ' +
        'each account may use, and looks at database, Redis and keys. It changes nothing: no folder, no key and no table is made.\n\n' +
        'Ends with 0 when all is well, and with 1 and the list of problems when not.',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ svc check
  $ svc check --config production.config.ts`,
    )
    .action(async (_options, command: Command) => {
      const { check } = await import('../check.ts')
      const { text, problems } = await check(await configPath(command.optsWithGlobals<GlobalOptions>()))
      console.log(text)
      if (problems.length === 0) return console.log('\nAll is well.')
      console.error(`\n${problems.length === 1 ? '1 problem' : `${problems.length} problems`}:`)
      for (const problem of problems) console.error(`  - ${problem}`)
      process.exitCode = 1
    })
}
