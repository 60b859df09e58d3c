import type { Credential, CredentialKind, CredentialScope } from '@svc/core'
import { Command } from 'commander'
import type { GlobalOptions } from './config.ts'
import { moment, plain, table, writeJson, writeMembers } from './output.ts'
import { accountOf } from './owner.ts'
import { Refusal } from './refusal.ts'
import { type OpenState, withState } from './state.ts'

/** Words for a kind. */
interface KindWords {
  readonly kind: CredentialKind
  readonly noun: string
  /** With its article. */
  readonly one: string
}

/** Differences between API keys and management tokens. */
interface CredentialWords extends KindWords {
  readonly command: string
  readonly about: string
  /** The kind that --operator stands for, where there is one. */
  readonly operator?: KindWords
}

interface Options extends GlobalOptions {
  readonly account?: string
  readonly operator?: boolean
  readonly name?: string
  readonly description?: string
  readonly expires?: string
  readonly activate?: boolean
  readonly deactivate?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

/** Makes the commands on one kind of credential. */
export function credentialCommand(words: CredentialWords): Command {
  const { command, noun, about, operator } = words
  const group = new Command(command)
    .summary(`create, list, show, update and revoke ${noun}s`)
    .description(`${about}\nChanges take effect while the service runs, within 5 seconds.`)
    .addHelpText(
      'after',
      `
Examples:
  $ svc ${command} create --account acme --name backend --expires 2030-01-01
  $ svc ${command} list --account acme
  $ svc ${command} update 01JD4Z0V9T6E6N1S2XKQ3B7W8R --account acme --deactivate
  $ svc ${command} revoke 01JD4Z0V9T6E6N1S2XKQ3B7W8R --account acme${operator ? `\n  $ svc ${command} create --operator --name alice` : ''}`,
    )
  for (const make of [createCommand, listCommand, showCommand, updateCommand, revokeCommand]) group.addCommand(make(words))
  return group
}

function createCommand(words: CredentialWords): Command {
  const { command, one } = words
  return about(words, 'create', `make ${one}`)
    .description(`Makes ${one} and writes its value to stdout, this once: it is not kept.`)
    .requiredOption('-n, --name <text>', 'what to call it, one line of 1 to 200 characters')
    .option('-d, --description <text>', 'what it is for')
    .option('-e, --expires <date>', 'refuse it from then on: 2030-12-31T23:59:59Z, or a day, 2030-12-31 (never)')
    .option('-q, --quiet', 'write the value and nothing else')
    .addHelpText(
      'after',
      `
Examples:
  $ svc ${command} create --account acme --name backend
  $ VALUE=$(svc ${command} create --account acme --name backend --quiet)`,
    )
    .action(
      acting(async (state, options) => {
        const { createCredential } = await import('@svc/core/operate')
        const { kind, noun } = wordsOf(words, options)
        const account = ownerOf(state, words, options)
        const { name = '', description, expires: expirationDate } = options
        const peppers = await state.peppers()
        const most = kind === 'key' ? state.maxKeys(account) : undefined
        const creation = await state.recorded(account, `svc ${command} create`, (before) =>
          createCredential(
            state.store,
            peppers,
            new Date(),
            { kind, account, name, description, expirationDate },
            { before, also: state.also, most },
          ),
        )
        if (options.json) return writeJson({ ...toJson(creation.record), [kind === 'key' ? 'key' : 'token']: creation.value })
        if (!options.quiet) {
          const until = creation.record.expirationDate ? `until ${moment(creation.record.expirationDate)}` : 'without an end'
          console.error(
            `Made the ${noun} ${creation.record.ulid}, "${plain(creation.record.name)}"${account ? `, of account ${account}` : ''}, valid ${until}.`,
          )
          console.error('Keep its value, which is shown only here:')
        }
        console.log(creation.value)
      }),
    )
}

function listCommand(words: CredentialWords): Command {
  const { noun } = words
  return about(words, 'list', `list ${noun}s`)
    .description(
      `Lists the ${noun}s of an account, or of all accounts, oldest first${words.operator ? ', and after them the operator tokens' : ''}.`,
    )
    .action(
      acting(async (state, options) => {
        const { eachCredential } = await import('@svc/core/operate')
        const lists = listsOf(state, words, options)
        const credentials: Credential[] = []
        for (const { account, kind } of lists) for await (const one of eachCredential(state.store, account, kind)) credentials.push(one)
        if (options.json) return writeJson(...credentials.map(toJson))
        const { noun } = wordsOf(words, options)
        const places = lists.map(({ account }) => account).filter(Boolean)
        if (credentials.length === 0) return console.error(`No ${noun}s${places.length > 0 ? ` in ${places.join(', ')}` : ''}.`)
        const rows = credentials.map((one) => [
          one.ulid,
          one.account || OPERATOR,
          standing(one),
          moment(one.expirationDate),
          moment(one.lastUsedAt),
          one.pepper ?? '-',
          plain(one.name),
        ])
        console.log(table(['ULID', 'ACCOUNT', 'STATE', 'EXPIRES', 'LAST USED', 'PEPPER', 'NAME'], rows))
      }),
    )
}

function showCommand(words: CredentialWords): Command {
  const { one } = words
  return about(words, 'show', `show ${one}`, true)
    .description(`Shows everything about ${one} but its value, which is not kept.`)
    .action(
      acting(async (state, options, ulid) => {
        const { readCredential } = await import('@svc/core/operate')
        show(await readCredential(state.store, scopeOf(state, words, options, ulid)), options.json)
      }),
    )
}

function updateCommand(words: CredentialWords): Command {
  const { command, one } = words
  return about(words, 'update', `change ${one}`, true)
    .description(`Changes what is named and leaves the rest of ${one} as it is.`)
    .option('-n, --name <text>', 'what to call it')
    .option('-d, --description <text>', 'what it is for; "" clears it')
    .option('-e, --expires <date>', 'refuse it from then on; never: it does not expire')
    .option('--deactivate', 'refuse it until it is activated again')
    .option('--activate', 'accept it again')
    .action(
      acting(async (state, options, ulid) => {
        const { updateCredential } = await import('@svc/core/operate')
        const { name, description, expires, activate, deactivate } = options
        if (activate && deactivate) throw new Refusal('Say either --activate or --deactivate.')
        const active = activate ? true : deactivate ? false : undefined
        if (name === undefined && description === undefined && expires === undefined && active === undefined)
          throw new Refusal(
            'There is nothing to change: name at least one of --name, --description, --expires, --activate and --deactivate.',
          )
        const changes = {
          name,
          description: description === '' ? null : description,
          expirationDate: expires === 'never' ? null : expires,
          active,
        }
        const scope = scopeOf(state, words, options, ulid)
        const changed = await state.recorded(scope.account, `svc ${command} update`, (before) =>
          updateCredential(state.store, new Date(), scope, changes, before, state.also),
        )
        show(changed, options.json)
      }),
    )
}

function revokeCommand(words: CredentialWords): Command {
  const { command, one } = words
  return about(words, 'revoke', `revoke ${one}, for good`, true)
    .alias('delete')
    .description(`Deletes ${one}: it is refused from now on and cannot be brought back. What it did stays in the audit log.`)
    .action(
      acting(async (state, options, ulid) => {
        const { removeCredential } = await import('@svc/core/operate')
        const scope = scopeOf(state, words, options, ulid)
        await state.recorded(scope.account, `svc ${command} revoke`, (before) => removeCredential(state.store, scope, before, state.also))
        const { noun } = wordsOf(words, options)
        if (options.json) return writeJson({ revoked: ulid })
        console.log(`Revoked the ${noun} ${ulid}${ofWhom(scope.account)}.`)
      }),
    )
}

function about({ operator }: CredentialWords, name: string, summary: string, one = false): Command {
  const command = new Command(name).summary(summary)
  if (one) command.argument('<ulid>', 'which one, as the list shows it')
  if (operator) command.option('-o, --operator', `${operator.one}, which belongs to no account and sees all of them`)
  return command
    .option('-a, --account <id>', 'account it belongs to; may be left out where there is one only')
    .option('--json', 'write JSON')
}

/** An action on the state that the config names, which is closed afterwards. */
function acting(work: (state: OpenState, options: Options, ulid: string) => Promise<void>) {
  return (...parameters: unknown[]): Promise<void> => {
    const command = parameters.at(-1) as Command
    const options = command.optsWithGlobals<Options>()
    return withState(options, (state) => work(state, options, command.args[0] ?? ''))
  }
}

/** Text in the list's column of accounts for those that belong to none. */
const OPERATOR = '(operator)'

function wordsOf({ operator, ...words }: CredentialWords, options: Options): KindWords {
  return options.operator && operator ? operator : words
}

function ofWhom(account: string): string {
  return account ? ` of account ${account}` : ''
}

/** The account, or none for an operator's. @throws Refusal */
function ownerOf(state: OpenState, words: CredentialWords, options: Options): string {
  if (!options.operator) return accountOf(state, options.account)
  if (options.account === undefined) return state.noAccount
  throw new Refusal(`${capital(wordsOf(words, options).one)} belongs to no account: leave --account out, or --operator.`)
}

function scopeOf(state: OpenState, words: CredentialWords, options: Options, ulid: string): CredentialScope {
  return { kind: wordsOf(words, options).kind, account: ownerOf(state, words, options), ulid }
}

/** Returns the accounts and kinds that a list is of: all there are, unless it is narrowed. */
function listsOf(state: OpenState, words: CredentialWords, options: Options): readonly Omit<CredentialScope, 'ulid'>[] {
  const { kind } = wordsOf(words, options)
  if (options.operator || options.account !== undefined) return [{ kind, account: ownerOf(state, words, options) }]
  const lists = state.accounts.map((account) => ({ kind, account }))
  return words.operator ? [...lists, { kind: words.operator.kind, account: state.noAccount }] : lists
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function standing({ active, expirationDate }: Credential): string {
  if (expirationDate !== null && expirationDate <= new Date()) return 'expired'
  return active ? 'active' : 'inactive'
}

function show(credential: Credential, json: boolean | undefined): void {
  if (json) writeJson(toJson(credential))
  else writeMembers(toJson(credential))
}

/** As the API shows it, the account, and which pepper its tag was made with. */
function toJson({ ulid, account, name, description, expirationDate, active, createdAt, lastUsedAt, prefix, pepper }: Credential) {
  return {
    ulid,
    account: account || null,
    name,
    description,
    expirationDate,
    active,
    createdAt,
    lastUsedAt,
    prefix,
    pepper,
  } satisfies Partial<Record<keyof Credential, unknown>>
}
