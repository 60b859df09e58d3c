import { isEndpointError, isServiceError } from '@svc/contract'
import { askPrices, type Config, createAccounts, createRpc, type LoadedPlugin, priceEndpoints } from '@svc/core'
import { priceIdOf } from '@svc/core/plugins'
import { type EndpointReport, hostOf, silent } from './endpoint-report.ts'

/** Asks every endpoint of the price source separately for the prices of all tokens of the config. */
export async function inspectPrices(config: Config, plugins: readonly LoadedPlugin[], boundMs: number): Promise<readonly EndpointReport[]> {
  const accounts = createAccounts(config)
  const networks = plugins.flatMap(({ name, plugin }) => accounts.all(name).map((settings) => priceIdOf(plugin.protocol, settings)))
  const ids = [...new Set(networks.filter((id) => id !== null))].sort()
  if (ids.length === 0) return []
  return Promise.all(
    priceEndpoints(config).map(async (endpoint, index): Promise<EndpointReport> => {
      const about = {
        path: 'prices',
        prefix: 'prices',
        chainId: '-',
        endpoint: `${index + 1} (${hostOf(endpoint.url)})`,
        sighting: null,
        doubts: [],
        requirements: [],
      }
      let why = ''
      const log = { ...silent, warn: (details: { readonly reason?: string }) => (why = details.reason ?? why) }
      const rpc = createRpc({ endpoints: [endpoint], name: 'prices', timeoutMs: boundMs, deadlineMs: boundMs, log: log as never })
      try {
        const quotes = await rpc.exchange((send) => askPrices(send, ids, new Date()))
        const missing = ids.filter((id) => !quotes.has(id))
        if (missing.length === 0) return { ...about, state: 'well', text: `${ids.length} ${ids.length === 1 ? 'price' : 'prices'}` }
        const text = `it has no price of today for ${missing.join(', ')}; price_id of a network names what the source calls its token.`
        return { ...about, state: 'wrong', text }
      } catch (error) {
        if (!isServiceError(error) && !isEndpointError(error)) throw error
        if (why !== 'malformed') return { ...about, state: 'unreachable', text: `it does not answer (${why || 'no answer in time'})` }
        return { ...about, state: 'wrong', text: `it has no price of today for any of ${ids.join(', ')}, or answers in another form.` }
      } finally {
        rpc.close()
      }
    }),
  )
}
