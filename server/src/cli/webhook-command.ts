import type { WebhookState } from '@svc/core'
import { Command } from 'commander'
import type { GlobalOptions } from './config.ts'
import { snaked } from './output.ts'
import { accountOf } from './owner.ts'
import { type OpenState, withState } from './state.ts'

/** Of every command on webhooks. */
export interface WebhookOptions extends GlobalOptions {
  readonly account?: string
  readonly json?: boolean
}

/** Makes a command on webhooks, of all or of one. */
export function about(name: string, summary: string, argument?: string, what?: string): Command {
  const command = new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
  if (argument !== undefined) command.argument(argument, what)
  return command
    .option('-a, --account <id>', 'account it belongs to; may be left out where there is one only')
    .option('--json', 'write JSON, one object a line')
}

/** Makes a command on one webhook. */
export function aboutOne(name: string, summary: string): Command {
  return about(name, summary, '<ulid>', 'which one, as the list shows it')
}

/** Makes the action of a command: it opens the state that the config names, and closes it afterwards. */
export function acting<O extends WebhookOptions>(work: (state: OpenState, options: O, first: string, second: string) => Promise<void>) {
  return (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<O>()
    return withState(options, (state) => work(state, options, command.args[0] ?? '', command.args[1] ?? ''))
  }
}

/** Reads one webhook, of the account that is named, or of whichever has it. */
export async function found(state: OpenState, options: WebhookOptions, ulid: string) {
  const desk = await state.webhooks()
  const account = options.account === undefined ? null : accountOf(state, options.account)
  const one = await desk.read({ ulid, account })
  return { desk, one, scope: { ulid, account: one.webhook.account } }
}

/** Writes a webhook by the names that the API gives its members, without its secret. */
export function membersOf({ webhook, waiting, nextAt }: WebhookState): Readonly<Record<string, unknown>> {
  const { pepper: _pepper, formerPepper: _formerPepper, ...members } = webhook
  return snaked({ ...members, waiting, nextAt })
}
