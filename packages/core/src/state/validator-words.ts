import { shortName } from '../base/short-name.ts'
import type { Config } from '../config/schema.ts'
import { core } from '../db/drizzle.ts'
import type { Store } from '../db/store.ts'
import { ask } from '../db/work.ts'
import { createAccounts } from '../plugins/accounts.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import { resolveNetwork } from '../plugins/network/settings.ts'

/** Number of wallets of an account whose positions lie with the same validators (pools, vaults), among those that are followed. */
export interface HeldPositions {
  readonly protocol: string
  readonly network: string
  readonly account: string
  /** As the protocol spells them; null: of these wallets it is not known, since they were not read yet. */
  readonly validators: readonly string[] | null
  readonly wallets: number
}

/** A row of `heldStatement`. */
export interface HeldRow {
  readonly protocol: string
  readonly network: string
  readonly account: string
  /** JSON: a list of names; null where the position keeps none. */
  readonly held: string | null
  readonly wallets: number | string
}

/** What there is to say of validators that are not the present ones: a phrase each. */
export interface ValidatorWords {
  /** With these wallets are, and no setting names them: what is there is neither shown nor served. */
  readonly lost: readonly string[]
  /** The settings name these as former ones: how many wallets are there. */
  readonly former: readonly string[]
}

/** Where the list that every position keeps is found in its JSON: `KeptPosition` of `life/position.ts`. */
const HELD = { sqlite: "json_extract(position, '$.held')", postgres: "position::json ->> 'held'" } as const

/** Writes the statement that counts the followed wallets by the validators with which their positions were last read: `HeldRow`s. It reads every row of the watches once. */
export function heldStatement(dialect: keyof typeof HELD): string {
  return `select protocol, network, account, held, count(*) as wallets
    from (select protocol, network, account, ${HELD[dialect]} as held from svc_watches where removed_at is null) as rows
    group by protocol, network, account, held`
}

/** Reads a row of `heldStatement`. */
export function heldOf({ held, wallets, ...place }: HeldRow): HeldPositions {
  return { ...place, validators: held === null ? null : (JSON.parse(held) as readonly string[]), wallets: Number(wallets) }
}

/**
 * Compares the validators with which the followed wallets have their positions, by the last reading of each, with those that the settings name.
 *
 * @throws 503 DATABASE_UNAVAILABLE
 */
export async function readValidatorWords(config: Config, plugins: readonly LoadedPlugin[], store: Store): Promise<ValidatorWords> {
  const rows = await store.run(() => ask<HeldRow>(core().sql.raw(heldStatement(store.dialect))))
  return validatorWords(config, plugins, rows.map(heldOf))
}

/**
 * Compares the validators of followed wallets' positions with those that the settings of their accounts name, as the plugins themselves name them. Plugins whose positions
 * depend on no setting are left out.
 *
 * @throws SettingsError for settings that a plugin does not accept
 */
export function validatorWords(
  config: Pick<Config, 'accounts' | 'plugins'>,
  plugins: readonly LoadedPlugin[],
  held: readonly HeldPositions[],
): ValidatorWords {
  const accounts = createAccounts(config)
  const words = accounts.ids.flatMap((account) =>
    plugins.flatMap(({ name, plugin: { protocol } }) =>
      accounts.enabled(account, name).flatMap(({ network }) => {
        const validators = protocol.validators?.(resolveNetwork(protocol, network))
        if (validators === undefined) return []
        const place = { protocol: shortName(name), network: network.chainId, account }
        const own = held.filter((each) => each.protocol === place.protocol && each.network === place.network && each.account === account)
        return wordsOf(place, validators, own, network.path)
      }),
    ),
  )
  return { lost: words.flatMap(({ lost }) => lost), former: words.flatMap(({ former }) => former) }
}

/** @param path of the settings, for whoever changes them */
function wordsOf(
  { protocol, network, account }: Pick<HeldPositions, 'protocol' | 'network' | 'account'>,
  named: readonly string[],
  held: readonly HeldPositions[],
  path: string,
): readonly ValidatorWords[] {
  const where = `of account ${account} on ${protocol} ${network}`
  const walletsWith = (validator: string) =>
    held.reduce((sum, { validators, wallets }) => (validators?.includes(validator) ? sum + wallets : sum), 0)
  const unread = held.reduce((sum, { validators, wallets }) => (validators === null ? sum + wallets : sum), 0)
  const more = unread === 0 ? '' : `, and ${counted(unread)} not read yet`
  const names = [...new Set(held.flatMap(({ validators }) => validators ?? []))].sort()
  const lost = names.flatMap((name) => (named.includes(name) ? [] : [`${counted(walletsWith(name))} ${where} with ${name} (${path})`]))
  const former = named.slice(1).map((name) => {
    const wallets = walletsWith(name)
    if (wallets > 0 || unread > 0) return `${counted(wallets)} ${where} with the former ${name}${more}`
    return `no wallet ${where} that is followed with the former ${name}, which can be taken out where it is not misspelt (${path})`
  })
  return [{ lost, former }]
}

/** Returns a sentence that tells an operator what to do about wallets with validators that no setting names. @param lost of `ValidatorWords`, one at least */
export function lostWarning(lost: readonly string[]): string {
  return `validators: no setting names those with which some wallets have something by their last reading: ${lost.join('; ')}. Name each in former_validators beside the present one, or what is there is neither shown nor served.`
}

function counted(wallets: number): string {
  return `${wallets} wallet${wallets === 1 ? '' : 's'}`
}
