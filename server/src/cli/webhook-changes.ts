import type { Subscription, WithSecret } from '@svc/core'
import { type Command, InvalidArgumentError } from 'commander'
import { count, date, words } from './option-values.ts'
import { snaked, writeJson, writeMembers } from './output.ts'
import { accountOf } from './owner.ts'
import { Refusal } from './refusal.ts'
import type { OpenState } from './state.ts'
import { about, aboutOne, acting, found, membersOf, type WebhookOptions } from './webhook-command.ts'

interface Options extends WebhookOptions {
  readonly url?: string
  readonly events?: readonly string[]
  readonly protocols?: readonly string[]
  readonly rewards?: Readonly<Record<string, string>>
  readonly description?: string
  readonly enable?: boolean
  readonly disable?: boolean
  readonly quiet?: boolean
  readonly overlapHours: number
  readonly from: Date
  readonly to?: Date
  readonly delivered?: boolean
  readonly after?: number
}

const HOUR_MS = 3_600_000
/** Longest time for which two secrets sign, in hours, as of the API. */
const OVERLAP_MOST = 720
/** The word that stands for no restriction. */
const ALL = 'all'
/** And for no amount. */
const NONE = 'none'

/** Makes `svc webhooks add`, which creates a webhook and shows its secret. */
export function addCommand(): Command {
  return subscribing(about('add', 'add a webhook', '<url>', 'where events are posted'))
    .description('Adds a webhook and writes its secret to stdout, this once: it is not kept.')
    .option('-q, --quiet', 'write the secret and nothing else')
    .action(
      acting<Options>(async (state, options, url) => {
        const account = accountOf(state, options.account)
        const subscription = await subscriptionOf(state, options)
        const webhook = await state.recorded(account, 'svc webhooks add', async (before) =>
          (await state.webhooks()).create(
            account,
            { url, events: null, protocols: null, description: null, rewardsThreshold: null, ...subscription },
            before,
          ),
        )
        await secret(state, options, webhook, `Added the webhook ${webhook.webhook.ulid} of account ${account}.`)
      }),
    )
}

/** Makes `svc webhooks update`, which changes members of a webhook. */
export function updateCommand(): Command {
  return subscribing(aboutOne('update', 'change, disable or enable a webhook'))
    .description(
      'Changes what is named and leaves the rest as it is. What waits for one that is disabled is not sent; replay sends it later.',
    )
    .option('-u, --url <url>', 'where events are posted')
    .option('--disable', 'send nothing, and queue nothing new')
    .option('--enable', 'send again')
    .action(
      acting<Options>(async (state, options, ulid) => {
        const { enable, disable } = options
        if (enable && disable) throw new Refusal('Say either --enable or --disable.')
        const enabled = enable ? true : disable ? false : undefined
        const changes = { ...(await subscriptionOf(state, options)), ...(enabled === undefined ? {} : { enabled }) }
        if (Object.keys(changes).length === 0)
          throw new Refusal(
            'There is nothing to change: name at least one of --url, --events, --protocols, --rewards, --description, --enable and --disable.',
          )
        const { desk, scope } = await found(state, options, ulid)
        const changed = await state.recorded(scope.account, 'svc webhooks update', (before) => desk.update(scope, changes, before))
        if (options.json) writeJson(membersOf(changed))
        else writeMembers(membersOf(changed))
      }),
    )
}

/** Makes `svc webhooks rotate`, which gives a webhook another secret. */
export function rotateCommand(): Command {
  return aboutOne('rotate', 'change the secret of a webhook')
    .description('Writes the new secret to stdout, this once: it is not kept. Until the overlap is over, messages are signed with both.')
    .option('--overlap-hours <number>', `how long the secret before signs too, ${OVERLAP_MOST} at most`, count(OVERLAP_MOST, 0), 24)
    .option('-q, --quiet', 'write the secret and nothing else')
    .action(
      acting<Options>(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        const rotation = await state.recorded(scope.account, 'svc webhooks rotate', (before) =>
          desk.rotate(scope, options.overlapHours * HOUR_MS, before),
        )
        const overlap =
          options.overlapHours === 0 ? 'The one before signs no more.' : `The one before signs for ${options.overlapHours} h more.`
        await secret(state, options, rotation, `Changed the secret of the webhook ${ulid} of account ${scope.account}. ${overlap}`)
      }),
    )
}

/** Makes `svc webhooks remove`, which deletes a webhook. */
export function removeCommand(): Command {
  return aboutOne('remove', 'remove a webhook, for good')
    .alias('delete')
    .description('Deletes a webhook with what waits for it. What happened stays in the list of events.')
    .action(
      acting(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        await state.recorded(scope.account, 'svc webhooks remove', (before) => desk.remove(scope, before))
        if (options.json) writeJson({ removed: ulid })
        else console.log(`Removed the webhook ${ulid} of account ${scope.account}.`)
      }),
    )
}

/** Makes `svc webhooks test`, which sends a ping to a webhook. */
export function testCommand(): Command {
  return aboutOne('test', 'send a ping to a webhook')
    .description('Queues a ping, which a running service sends within seconds. svc webhooks deliveries shows how it was received.')
    .action(
      acting(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        const sent = await state.recorded(scope.account, 'svc webhooks test', (before) => desk.test(scope, before))
        if (options.json) writeJson({ event: sent.id })
        else console.log(`Queued ${sent.id}.`)
      }),
    )
}

/** Makes `svc webhooks resend`, which sends one event again. */
export function resendCommand(): Command {
  return aboutOne('resend', 'send one event again')
    .argument('<delivery>', 'which delivery, as svc webhooks deliveries shows it')
    .action(
      acting(async (state, options, ulid, delivery) => {
        const { desk, scope } = await found(state, options, ulid)
        const sent = await state.recorded(scope.account, 'svc webhooks resend', (before) => desk.resend(scope, delivery, before))
        if (options.json) writeJson(snaked(sent))
        else console.log(`Queued ${sent.event} again.`)
      }),
    )
}

/** Makes `svc webhooks replay`, which sends the events of a time again. */
export function replayCommand(): Command {
  return aboutOne('replay', 'send the events of a time again')
    .description(
      'Queues the events that the webhook subscribes to now and has not got: queued or not at the time, and made before it was. Looks at ' +
        '1,000 events at most, and fewer where the backlog has no room; --after goes on.',
    )
    .requiredOption('--from <date>', 'not before: 2030-12-31T23:59:59Z, or a day, 2030-12-31, in UTC', date)
    .option('--to <date>', 'before that (now)', date)
    .option('--delivered', 'what was delivered too')
    .option('--after <number>', 'go on where the replay before ended', count(Number.MAX_SAFE_INTEGER, 0))
    .action(
      acting<Options>(async (state, options, ulid) => {
        const { desk, scope } = await found(state, options, ulid)
        const { from, to = new Date(), delivered = false, after = 0 } = options
        const done = await state.recorded(scope.account, 'svc webhooks replay', (before) =>
          desk.replay(scope, { from, to, delivered, after }, before),
        )
        if (options.json) return writeJson(done)
        console.log(`Queued ${done.queued} event${done.queued === 1 ? '' : 's'}.`)
        if (done.next !== null) console.error(`There are later ones: go on with --after ${done.next}`)
      }),
    )
}

function subscribing(command: Command): Command {
  return command
    .option('-e, --events <types>', `only these, with commas: transaction.*,apikey.changed; ${ALL}: any`, words)
    .option('-p, --protocols <names>', `only of these plugins, with commas: evm-three; ${ALL}: any`, words)
    .option('-r, --rewards <amounts>', `tell of claimable rewards from so many tokens on: evm-three=1.5; ${NONE}: not`, amounts)
    .option('-d, --description <text>', 'what it is for; "" says nothing')
}

/** What is said of a subscription; what is left out is not there either. @throws ServiceError for a name that is none */
async function subscriptionOf(state: OpenState, options: Options): Promise<Partial<Subscription>> {
  const { readSubscription, requireEvents } = await import('@svc/core/operate')
  const { url, description, rewards } = options
  const namesOf = (names: readonly string[] | undefined) => (names?.length === 1 && names[0] === ALL ? null : names)
  const [events, protocols] = [namesOf(options.events), namesOf(options.protocols)]
  requireEvents(events ?? null)
  const subscription = {
    url,
    events,
    protocols,
    description: description === '' ? null : description,
    rewards_threshold: rewards !== undefined && Object.keys(rewards).length === 0 ? null : rewards,
  }
  return readSubscription(subscription, state.protocols)
}

/** @throws InvalidArgumentError */
function amounts(text: string): Readonly<Record<string, string>> {
  if (text === NONE) return {}
  return Object.fromEntries(
    words(text).map((each) => {
      const [, name = '', amount = ''] = /^([^=]+)=((?:0|[1-9]\d{0,39})(?:\.\d{1,40})?)$/.exec(each) ?? []
      if (name === '') throw new InvalidArgumentError(`It must be like evm-three=1.5,hub-one=2, or ${NONE}.`)
      return [name, amount]
    }),
  )
}

/** Shows a new secret, this once. */
async function secret(state: OpenState, { json, quiet }: Options, made: WithSecret, said: string): Promise<void> {
  const publicKey = (await state.webhooks()).publicKey(made)
  if (json) return writeJson({ ...membersOf(made), public_key: publicKey, secret: made.secret })
  if (!quiet) {
    console.error(`${said} Its public key: ${publicKey}`)
    console.error('Keep its secret, which is shown only here:')
  }
  console.log(made.secret)
}
