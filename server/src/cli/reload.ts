import { Command } from 'commander'
import { findConfig, type GlobalOptions } from './config.ts'
import { noConfig } from './next-step.ts'
import { Refusal } from './refusal.ts'

/** Makes `svc reload`, which has the running service serve its config as it is now. */
export function reloadCommand(): Command {
  return new Command('reload')
    .summary('have the running service serve the config as it is now')
    .description(
      'Has the service that was started with this config, on this machine and by this user, read it again, and the plugins that are installed now. ' +
        'New workers start beside those that serve; when they listen and are healthy, the ones before answer what they have under way and end. ' +
        'No request fails. A config that does not fit changes nothing.\n\n' +
        'Says how many wallets have something with validators that the config names as former ones, and with those that it names no more.\n\n' +
        'Waits until that is done. Ends with 0 when the new config is being served, and with 1 and the reason when not.',
    )
    .addHelpText(
      'after',
      `
An environment variable that changed takes a restart: the service keeps the
environment that it was started with. \`kill -HUP\` does the same, and answers in
the log alone.

Examples:
  $ svc reload
  $ svc reload --config /etc/svc/svc.config.ts`,
    )
    .action(async (_options, command: Command) => {
      const file = findConfig(command.optsWithGlobals<GlobalOptions>())
      if (!file) throw new Refusal(noConfig())
      const { askReload } = await import('../start/primary/control.ts')
      const answers = await askReload(file)
      if (answers.length === 0) throw new Refusal(`No service of this user runs by ${file}; \`svc start\` starts one.`)
      for (const { isDone, text, notes = [] } of answers) {
        if (isDone) console.log([text, ...notes].join('\n'))
        else {
          console.error(`svc: ${text}`)
          process.exitCode = 1
        }
      }
    })
}
