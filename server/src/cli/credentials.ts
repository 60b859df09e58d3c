import type { Credential, CredentialKind } from '@svc/core'
import { Command } from 'commander'
import type { GlobalOptions } from './config.ts'
import { minute, plain, table } from './output.ts'
import { Refusal } from './refusal.ts'
import { type OpenState, withState } from './state.ts'

/** What differs between API keys and management tokens. */
export interface CredentialWords {
  readonly kind: CredentialKind
  readonly command: string
  readonly noun: string
  /** With its article. */
  readonly one: string
  readonly about: string
}

interface Options extends GlobalOptions {
  readonly account?: string
  readonly name?: string
  readonly description?: string
  readonly expires?: string
  readonly activate?: boolean
  readonly deactivate?: boolean
  readonly quiet?: boolean
  readonly json?: boolean
}

/** The commands on one kind of credential. */
export function credentialCommand(words: CredentialWords): Command {
  const { command, noun, about } = words
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
  $ svc ${command} revoke 01JD4Z0V9T6E6N1S2XKQ3B7W8R --account acme`,
    )
  for (const make of [createCommand, listCommand, showCommand, updateCommand, revokeCommand]) group.addCommand(make(words))
  return group
}

function createCommand({ kind, command, noun, one }: CredentialWords): Command {
  return about('create', `make ${one}`)
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
        const { createCredential } = await import('@svc/core')
        const account = accountOf(state, options.account)
        const { name = '', description, expires: expirationDate } = options
        const peppers = await state.peppers()
        const most = kind === 'key' ? state.maxKeys(account) : undefined
        const made = await state.recorded(account, `svc ${command} create`, (before) =>
          createCredential(state.store, peppers, new Date(), { kind, account, name, description, expirationDate }, { before, most }),
        )
        if (options.json) return console.log(JSON.stringify({ ...toJson(made.record), [kind]: made.value }, null, 2))
        if (!options.quiet) {
          const until = made.record.expirationDate ? `until ${minute(made.record.expirationDate)} UTC` : 'without an end'
          console.error(`Made the ${noun} ${made.record.ulid}, "${plain(made.record.name)}", of account ${account}, valid ${until}.`)
          console.error('Keep its value, which is shown only here:')
        }
        console.log(made.value)
      }),
    )
}

function listCommand({ kind, noun }: CredentialWords): Command {
  return about('list', `list ${noun}s`)
    .description(`Lists the ${noun}s of an account, or of all accounts, oldest first.`)
    .action(
      acting(async (state, { account, json }) => {
        const { eachCredential } = await import('@svc/core')
        const accounts = account === undefined ? state.accounts : [accountOf(state, account)]
        const found: Credential[] = []
        for (const each of accounts) for await (const one of eachCredential(state.store, each, kind)) found.push(one)
        if (json) return console.log(JSON.stringify(found.map(toJson), null, 2))
        if (found.length === 0) return console.error(`No ${noun}s in ${accounts.join(', ')}.`)
        const rows = found.map((one) => [
          one.ulid,
          one.account,
          standing(one),
          minute(one.expirationDate),
          minute(one.lastUsedAt),
          one.pepper ?? '-',
          plain(one.name),
        ])
        console.log(table(['ULID', 'ACCOUNT', 'STATE', 'EXPIRES (UTC)', 'LAST USED (UTC)', 'PEPPER', 'NAME'], rows))
      }),
    )
}

function showCommand({ kind, one }: CredentialWords): Command {
  return about('show', `show ${one}`, true)
    .description(`Shows everything about ${one} but its value, which is not kept.`)
    .action(
      acting(async (state, { account, json }, ulid) => {
        const { readCredential } = await import('@svc/core')
        show(await readCredential(state.store, { kind, account: accountOf(state, account), ulid }), json)
      }),
    )
}

function updateCommand({ kind, command, one }: CredentialWords): Command {
  return about('update', `change ${one}`, true)
    .description(`Changes what is named and leaves the rest of ${one} as it is.`)
    .option('-n, --name <text>', 'what to call it')
    .option('-d, --description <text>', 'what it is for; "" clears it')
    .option('-e, --expires <date>', 'refuse it from then on; never: it does not expire')
    .option('--deactivate', 'refuse it until it is activated again')
    .option('--activate', 'accept it again')
    .action(
      acting(async (state, options, ulid) => {
        const { updateCredential } = await import('@svc/core')
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
        const scope = { kind, account: accountOf(state, options.account), ulid }
        const changed = await state.recorded(scope.account, `svc ${command} update`, (before) =>
          updateCredential(state.store, new Date(), scope, changes, before),
        )
        show(changed, options.json)
      }),
    )
}

function revokeCommand({ kind, command, noun, one }: CredentialWords): Command {
  return about('revoke', `revoke ${one}, for good`, true)
    .alias('delete')
    .description(`Deletes ${one}: it is refused from now on and cannot be brought back. What it did stays in the audit log.`)
    .action(
      acting(async (state, { account, json }, ulid) => {
        const { removeCredential } = await import('@svc/core')
        const scope = { kind, account: accountOf(state, account), ulid }
        await state.recorded(scope.account, `svc ${command} revoke`, (before) => removeCredential(state.store, scope, before))
        console.log(json ? JSON.stringify({ revoked: ulid }) : `Revoked the ${noun} ${ulid} of account ${scope.account}.`)
      }),
    )
}

function about(name: string, summary: string, one = false): Command {
  const command = new Command(name).summary(summary)
  if (one) command.argument('<ulid>', 'which one, as the list shows it')
  return command
    .option('-a, --account <id>', 'account it belongs to; may be left out where there is one only')
    .option('--json', 'write JSON')
}

/** An action on the state that the config names, which is closed afterwards. */
function acting(work: (state: OpenState, options: Options, ulid: string) => Promise<void>) {
  return (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options>()
    return withState(options, (state) => work(state, options, command.args[0] ?? ''))
  }
}

/** @throws Refusal naming the accounts that there are */
function accountOf({ accounts }: OpenState, wanted: string | undefined): string {
  const known = accounts.join(', ') || 'none'
  if (wanted === undefined) {
    const [only, ...others] = accounts
    if (only !== undefined && others.length === 0) return only
    throw new Refusal(`Say whose it is with --account; the config has these accounts: ${known}.`)
  }
  if (accounts.includes(wanted)) return wanted
  throw new Refusal(`There is no account "${plain(wanted)}" in the config; there are: ${known}.`)
}

function standing({ active, expirationDate }: Credential): string {
  if (expirationDate !== null && expirationDate <= new Date()) return 'expired'
  return active ? 'active' : 'inactive'
}

function show(credential: Credential, json: boolean | undefined): void {
  const fields = toJson(credential)
  if (json) console.log(JSON.stringify(fields, null, 2))
  else for (const [name, value] of Object.entries(fields)) console.log(`${name.padEnd(16)}${value === null ? '-' : plain(String(value))}`)
}

/** As the API shows it, the account, and which pepper its tag was made with. */
function toJson({ ulid, account, name, description, expirationDate, active, createdAt, lastUsedAt, prefix, pepper }: Credential) {
  return { ulid, account, name, description, expirationDate, active, createdAt, lastUsedAt, prefix, pepper } satisfies Partial<Credential>
}
