import { Command } from 'commander'
import { count } from './option-values.ts'
import { moment, plain, snaked, table, writeJson, writeMembers } from './output.ts'
import { accountOf } from './owner.ts'
import { addCommand, removeCommand, replayCommand, resendCommand, rotateCommand, testCommand, updateCommand } from './webhook-changes.ts'
import { about, aboutOne, acting, found, membersOf, type WebhookOptions } from './webhook-command.ts'

interface Paged extends WebhookOptions {
  readonly limit: number
  readonly before?: string
}

/** Makes `svc webhooks`, the commands on receivers of events. */
export function webhooksCommand(): Command {
  const group = new Command('webhooks')
    .summary('list, show, add, update, rotate, remove and test receivers of events')
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
  $ svc webhooks deliveries 01JD4Z0V9T6E6N1S2XKQ3B7W8R --limit 10
  $ svc webhooks update 01JD4Z0V9T6E6N1S2XKQ3B7W8R --events 'transaction.*'
  $ svc webhooks rotate 01JD4Z0V9T6E6N1S2XKQ3B7W8R --overlap-hours 48
  $ svc webhooks replay 01JD4Z0V9T6E6N1S2XKQ3B7W8R --from 2030-01-01`,
    )
  const commands = [listCommand, showCommand, addCommand, updateCommand, rotateCommand, removeCommand, testCommand, deliveriesCommand]
  for (const make of [...commands, resendCommand, replayCommand]) group.addCommand(make())
  return group
}

function listCommand(): Command {
  return about('list', 'list webhooks')
    .description('Lists the webhooks of an account, or of all accounts, oldest first.')
    .action(
      acting(async (state, options) => {
        const desk = await state.webhooks()
        const account = options.account === undefined ? null : accountOf(state, options.account)
        const webhooks = await desk.list(account)
        if (options.json) return writeJson(...webhooks.map(membersOf))
        if (webhooks.length === 0) return console.error(`No webhooks${account === null ? '' : ` in ${account}`}.`)
        const rows = webhooks.map(({ webhook, waiting }) => {
          const { ulid, account, status, missed, url, reason } = webhook
          return [ulid, account, status, String(waiting), String(missed), url, reason ?? '-'].map(plain)
        })
        console.log(table(['ULID', 'ACCOUNT', 'STATE', 'WAITING', 'MISSED', 'URL', 'REASON'], rows))
      }),
    )
}

function showCommand(): Command {
  return aboutOne('show', 'show a webhook')
    .description('Shows everything about a webhook but its secret, which is not kept.')
    .action(
      acting(async (state, options, ulid) => {
        const { desk, one } = await found(state, options, ulid)
        const members = { ...membersOf(one), public_key: desk.publicKey(one) }
        if (options.json) writeJson(members)
        else writeMembers(members)
      }),
    )
}

function deliveriesCommand(): Command {
  return aboutOne('deliveries', 'what was sent to a webhook, newest first')
    .option('-l, --limit <number>', 'most deliveries to show', count(200), 20)
    .option('--before <id>', 'go on where the page before ended')
    .action(
      acting<Paged>(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        const { deliveries, next } = await desk.deliveries(scope, { limit: options.limit, before: options.before })
        if (options.json) writeJson(...deliveries.map(snaked))
        else if (deliveries.length === 0) console.error('No deliveries.')
        else
          console.log(
            table(
              ['ID', 'EVENT', 'TYPE', 'STATE', 'ATTEMPTS', 'STATUS', 'MS', 'LAST', 'NEXT', 'ERROR'],
              deliveries.map(({ id, event, type, state, attempts, status, latencyMs, lastAt, nextAt, error }) =>
                [
                  id,
                  event,
                  type ?? '-',
                  state,
                  String(attempts),
                  String(status ?? '-'),
                  String(latencyMs ?? '-'),
                  moment(lastAt),
                  moment(state === 'pending' ? nextAt : null),
                  error ?? '-',
                ].map(plain),
              ),
            ),
          )
        if (next !== null) console.error(`There are older ones: go on with --before ${next}`)
      }),
    )
}
