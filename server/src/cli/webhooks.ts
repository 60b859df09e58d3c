import type { WebhookState } from '@svc/core'
import { Command, InvalidArgumentError } from 'commander'
import type { GlobalOptions } from './config.ts'
import { minute, plain, table } from './output.ts'
import { accountOf } from './owner.ts'
import { type OpenState, withState } from './state.ts'

interface Options extends GlobalOptions {
  readonly account?: string
  readonly events?: readonly string[]
  readonly protocols?: readonly string[]
  readonly description?: string
  readonly limit?: number
  readonly before?: string
  readonly quiet?: boolean
  readonly json?: boolean
}

/** `svc webhooks`: receivers of events. */
export function webhooksCommand(): Command {
  const group = new Command('webhooks')
    .summary('list, add, remove and test receivers of events')
    .description(
      'A webhook is where the events of an account are sent: signed, at least once, to no private address. docs/webhooks.md says what its ' +
        'receiver has to do. Changes take effect while the service runs, within seconds.',
    )
    .addHelpText(
      'after',
      `
Examples:
  $ svc webhooks add https://example.org/hooks --account acme
  $ svc webhooks test 01JD4Z0V9T6E6N1S2XKQ3B7W8R
  $ svc webhooks deliveries 01JD4Z0V9T6E6N1S2XKQ3B7W8R --limit 10`,
    )
  for (const make of [listCommand, addCommand, removeCommand, testCommand, deliveriesCommand, resendCommand]) group.addCommand(make())
  return group
}

function listCommand(): Command {
  return about('list', 'list webhooks')
    .description('Lists the webhooks of an account, or of all accounts, oldest first.')
    .action(
      acting(async (state, options) => {
        const desk = await state.webhooks()
        const account = options.account === undefined ? null : accountOf(state, options.account)
        const found = await desk.list(account)
        if (options.json) return console.log(JSON.stringify(found.map(toJson), null, 2))
        if (found.length === 0) return console.error(`No webhooks${account === null ? '' : ` in ${account}`}.`)
        console.log(table(['ULID', 'ACCOUNT', 'STATE', 'WAITING', 'MISSED', 'URL', 'REASON'], found.map(row)))
      }),
    )
}

function addCommand(): Command {
  return about('add', 'add a webhook', '<url>', 'where events are posted')
    .description('Adds a webhook and writes its secret to stdout, this once: it is not kept.')
    .option('-e, --events <types>', 'only these, with commas: transaction.*,apikey.changed', words)
    .option('-p, --protocols <names>', 'only of these plugins, with commas: evm-three', words)
    .option('-d, --description <text>', 'what it is for')
    .option('-q, --quiet', 'write the secret and nothing else')
    .action(
      acting(async (state, options, url) => {
        const { readSubscription, requireEvents } = await import('@svc/core/operate')
        const account = accountOf(state, options.account)
        const { events = null, protocols = null, description = null } = options
        requireEvents(events)
        readSubscription({ protocols }, state.protocols)
        const desk = await state.webhooks()
        const made = await state.recorded(account, 'svc webhooks add', (before) =>
          desk.create(account, { url, events, protocols, description, rewardsThreshold: null }, before),
        )
        if (options.json)
          return console.log(JSON.stringify({ ...toJson(made), public_key: desk.publicKey(made), secret: made.secret }, null, 2))
        if (!options.quiet) {
          console.error(`Added the webhook ${made.webhook.ulid} of account ${account}. Its public key: ${desk.publicKey(made)}`)
          console.error('Keep its secret, which is shown only here:')
        }
        console.log(made.secret)
      }),
    )
}

function removeCommand(): Command {
  return about('remove', 'remove a webhook, for good', '<ulid>', 'which one, as the list shows it')
    .alias('delete')
    .description('Deletes a webhook with what waits for it. What happened stays in the list of events.')
    .action(
      acting(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        await state.recorded(scope.account, 'svc webhooks remove', (before) => desk.remove(scope, before))
        console.log(options.json ? JSON.stringify({ removed: ulid }) : `Removed the webhook ${ulid} of account ${scope.account}.`)
      }),
    )
}

function testCommand(): Command {
  return about('test', 'send a ping to a webhook', '<ulid>', 'which one, as the list shows it')
    .description('Queues a ping, which a running service sends within seconds. svc webhooks deliveries shows how it was received.')
    .action(
      acting(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        const sent = await state.recorded(scope.account, 'svc webhooks test', (before) => desk.test(scope, before))
        console.log(options.json ? JSON.stringify({ event: sent.id }) : `Queued ${sent.id}.`)
      }),
    )
}

function deliveriesCommand(): Command {
  return about('deliveries', 'what was sent to a webhook, newest first', '<ulid>', 'which one, as the list shows it')
    .option('-l, --limit <number>', 'most deliveries to show', count, 20)
    .option('--before <id>', 'go on where the page before ended')
    .action(
      acting(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        const { deliveries, next } = await desk.deliveries(scope, { limit: options.limit ?? 20, before: options.before })
        if (options.json) for (const delivery of deliveries) console.log(JSON.stringify(delivery))
        else if (deliveries.length === 0) console.error('No deliveries.')
        else
          console.log(
            table(
              ['ID', 'EVENT', 'TYPE', 'STATE', 'ATTEMPTS', 'STATUS', 'MS', 'LAST (UTC)', 'NEXT (UTC)', 'ERROR'],
              deliveries.map(({ id, event, type, state, attempts, status, latencyMs, lastAt, nextAt, error }) =>
                [
                  id,
                  event,
                  type ?? '-',
                  state,
                  String(attempts),
                  String(status ?? '-'),
                  String(latencyMs ?? '-'),
                  minute(lastAt),
                  minute(state === 'pending' ? nextAt : null),
                  error ?? '-',
                ].map(plain),
              ),
            ),
          )
        if (next !== null) console.error(`There are older ones: go on with --before ${next}`)
      }),
    )
}

function resendCommand(): Command {
  return about('resend', 'send one event again', '<ulid>', 'which webhook, as the list shows it')
    .argument('<delivery>', 'which delivery, as svc webhooks deliveries shows it')
    .action(
      acting(async (state, options, ulid, delivery) => {
        const { desk, scope } = await found(state, options, ulid)
        const sent = await state.recorded(scope.account, 'svc webhooks resend', (before) => desk.resend(scope, delivery, before))
        console.log(options.json ? JSON.stringify(sent) : `Queued ${sent.event} again.`)
      }),
    )
}

function about(name: string, summary: string, argument?: string, what?: string): Command {
  const command = new Command(name).summary(summary).description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
  if (argument !== undefined) command.argument(argument, what)
  return command
    .option('-a, --account <id>', 'account it belongs to; may be left out where there is one only')
    .option('--json', 'write JSON')
}

/** An action on the state that the config names, which is closed afterwards. */
function acting(work: (state: OpenState, options: Options, first: string, second: string) => Promise<void>) {
  return (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options>()
    return withState(options, (state) => work(state, options, command.args[0] ?? '', command.args[1] ?? ''))
  }
}

/** One webhook, of the account that is named, or of whichever has it. */
async function found(state: OpenState, options: Options, ulid: string) {
  const desk = await state.webhooks()
  const account = options.account === undefined ? null : accountOf(state, options.account)
  const { webhook } = await desk.read({ ulid, account })
  return { desk, scope: { ulid, account: webhook.account } }
}

function row({ webhook, waiting }: WebhookState): string[] {
  const { ulid, account, status, missed, url, reason } = webhook
  return [ulid, account, status, String(waiting), String(missed), url, reason ?? '-'].map(plain)
}

function toJson({ webhook, waiting, nextAt }: WebhookState) {
  const { pepper: _pepper, formerPepper: _formerPepper, ...shown } = webhook
  return { ...shown, waiting, nextAt }
}

function words(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}

function count(text: string): number {
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= 1 && number <= 200) return number
  throw new InvalidArgumentError('It must be a number from 1 to 200.')
}
