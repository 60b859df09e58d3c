import type { Call, Value } from '@svc/verify'
import { type NetworkTerms, tokens } from '@svc/verify/intent'

/** Writes a whole call in one line: its value in tokens of the network, and its arguments as they are, since nothing says which of them are amounts. */
export function callLine({ target, method, args, value }: Call, network: Pick<NetworkTerms, 'decimals' | 'symbol'>): string {
  const pairs = Object.entries(args).map(([name, each]) => `${name}: ${shown(each)}`)
  const sent = value === 0n ? '' : `, with ${inTokens(value, network)} sent along`
  return `${method === '' ? 'a plain transfer' : method} on ${target}${pairs.length === 0 ? '' : ` (${pairs.join(', ')})`}${sent}`
}

/** Writes an amount in tokens for a person, followed by its base units for a program. */
export function inTokens(units: bigint, network: Pick<NetworkTerms, 'decimals' | 'symbol'>): string {
  return `${tokens(units, network)} (${units} base units)`
}

function shown(value: Value): string {
  return typeof value === 'object' ? `[${value.map(shown).join(', ')}]` : String(value)
}
