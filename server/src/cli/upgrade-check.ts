import { Command } from 'commander'
import { configPath, type GlobalOptions } from './config.ts'

/** Makes `svc upgrade-check`, which shows what the first start of this version would change. */
export function upgradeCheckCommand(): Command {
  return new Command('upgrade-check')
    .summary('tell what the first start of this version would change')
    .description(
      'Says what stands between the version that is installed and its first start: settings of the config that it does not know, plugins that speak ' +
        'another contract, changes of the layout of the database with about how long they take, and whether one can go back. It asks no endpoint and changes nothing.\n\n' +
        'Ends with 0 when it would start, and with 1 and the list of problems when not.',
    )
    .option('--json', 'one JSON document instead of text')
    .addHelpText('after', '\nExamples:\n  $ npm install @svc/server@latest && svc upgrade-check\n  $ svc upgrade-check --json')
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly json?: boolean }>()
      const { upgradeCheck, upgradeText } = await import('../upgrade-check.ts')
      const report = await upgradeCheck(await configPath(options))
      console.log(options.json ? JSON.stringify(report, null, 2) : upgradeText(report))
      if (report.problems.length === 0) return
      if (!options.json) for (const problem of report.problems) console.error(`  - ${problem}`)
      process.exitCode = 1
    })
}
