import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { placesOf } from '../home.ts'
import { findConfig, type GlobalOptions } from './config.ts'
import { Refusal } from './refusal.ts'

/** Makes `svc inspector`, which writes the Inspector as one file. */
export function inspectorCommand(): Command {
  return new Command('inspector')
    .summary('print the Inspector as one HTML file for an offline machine')
    .description(
      'Prints one HTML file that says what a transaction of any of the four families does, what is unusual of it, and how it stands to a ' +
        'trust document. It works from a disk in any browser, asks nobody and loads nothing. Its SHA-256 goes to stderr: compare it where ' +
        'the file is used. The dashboard saves the same file.',
    )
    .addHelpText(
      'after',
      `
Example:
  $ svc inspector > inspector.html`,
    )
    .action(async (_options, command: Command) => {
      const { findDashboard, findIntents, inspectorFile } = await import('@svc/core/operate')
      const places = placesOf(await findConfig(command.optsWithGlobals<GlobalOptions>()))
      const assets = findDashboard(places)
      if (!assets) throw new Refusal('@svc/dashboard, which the file is in, is not installed here: npm install @svc/dashboard.')
      const built = await readFile(join(assets.folder, 'inspector.html'), 'utf8').catch(() => null)
      if (built === null) throw new Refusal('@svc/dashboard is not built: pnpm --filter @svc/dashboard build.')
      const { scripts, faults } = await findIntents(places)
      const file = inspectorFile(built, scripts)
      for (const fault of faults) console.error(fault)
      process.stdout.write(file)
      console.error(`SHA-256 ${createHash('sha256').update(file).digest('hex')}`)
    })
}
