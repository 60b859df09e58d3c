import { Command } from 'commander'
import { configPath, type GlobalOptions } from './config.ts'

/** Makes `svc check`, which checks config, endpoints, settings of chains, database, Redis and keys, and changes nothing. */
export function checkCommand(): Command {
  return new Command('check')
    .summary('check the config and everything that it names')
    .description(
      'Checks the config, asks every endpoint of every network which chain it serves and whether the validator exists there, shows what ' +
        'each account may use, and looks at database, Redis and keys. It changes nothing: no folder, no key and no table is made.\n\n' +
        'Of each node it asks for everything that its protocol requires, and names the setting of the node where something is missing: a problem ' +
        'where an operation fails for it, a warning where something is only told as null, as not proven, or later.\n\n' +
        'Ends with 0 when nothing that is needed is missing, and with 1 and the list of problems when not.',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ svc check
  $ svc check --config production.config.ts
  $ svc check --json | jq .problems`,
    )
    .option('--json', 'one JSON document instead of tables')
    .action(async (_options, command: Command) => {
      const { check, checkJson, checkText } = await import('../check.ts')
      const options = command.optsWithGlobals<GlobalOptions & { readonly json?: boolean }>()
      const report = await check(await configPath(options))
      const { problems, warnings } = report
      if (options.json) {
        console.log(checkJson(report))
        if (problems.length > 0) process.exitCode = 1
        return
      }
      console.log(checkText(report))
      if (warnings.length > 0) console.log(`\n${counted(warnings, 'warning')}:`)
      for (const warning of warnings) console.log(`  - ${warning}`)
      if (problems.length === 0) return console.log(warnings.length === 0 ? '\nAll is well.' : '\nNothing that is needed is missing.')
      console.error(`\n${counted(problems, 'problem')}:`)
      for (const problem of problems) console.error(`  - ${problem}`)
      process.exitCode = 1
    })
}

function counted(list: readonly string[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`
}
