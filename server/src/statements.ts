import { createAccounts, discover, type LoadedConfig, shortName } from '@svc/core'
import {
  BALANCE_BUCKETS,
  type BookUnits,
  type Layout,
  type Recognition,
  statementHead,
  statementLines,
  statementText,
} from '@svc/core/operate'
import { resolveNetwork, unitsOf } from '@svc/core/plugins'

type Store = Parameters<typeof statementLines>[0]
type Filter = Parameters<typeof statementLines>[1]

/** Form of a statement as CSV. */
interface StatementForm {
  readonly layout: Layout
  readonly recognise: Recognition
}

/** Iterates over the text of a statement as CSV: its head, then the entries of one line of a book after another. Nothing is asked of a chain. */
export async function* statementCsv(
  { config, places }: LoadedConfig,
  store: Store,
  filter: Filter,
  { layout, recognise }: StatementForm,
): AsyncGenerator<string> {
  const accounts = createAccounts(config)
  const plugins = await discover(config, places)
  const protocolOf = (short: string) => plugins.find(({ name }) => shortName(name) === short)
  const bucketsOf = (short: string) => protocolOf(short)?.plugin.protocol.book?.buckets ?? BALANCE_BUCKETS
  const units = new Map<string, BookUnits>()
  const unitsIn = (account: string, short: string, chainId: string) => {
    const name = `${account} ${short} ${chainId}`
    const earlier = units.get(name)
    if (earlier) return earlier
    const match = protocolOf(short)
    const settings = match && accounts.enabled(account, match.name).find(({ network }) => network.chainId === chainId)?.network
    // Of a network that the account has no longer, amounts are told in base units alone.
    const made =
      match && settings
        ? unitsOf(match.plugin.protocol, resolveNetwork(match.plugin.protocol, settings) as never)
        : { caip2: chainId, decimals: null, symbol: null }
    units.set(name, made)
    return made
  }
  yield statementHead(layout)
  for await (const each of statementLines(store, filter, ({ protocol }) => bucketsOf(protocol))) {
    const { account, protocol, network } = each.book
    yield statementText(layout, each, unitsIn(account, protocol, network), recognise, bucketsOf(protocol))
  }
}
