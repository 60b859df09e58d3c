import type { AuditMove } from '../api/audit.ts'

/** Form in which a network's native token is written. */
export interface Token {
  readonly decimals: number
  readonly symbol: string
}

/** A protocol as GET /protocols lists it, as far as amounts need it. */
export interface ProtocolTokens {
  readonly protocol: string
  readonly networks: readonly { readonly network: string; readonly terms: unknown }[]
}

const KINDS: Readonly<Record<AuditMove['kind'], string>> = {
  leaves: 'Leaves the wallet',
  staked: 'Is staked',
  freed: 'Is freed of its stake',
  arrives: 'Arrives in the wallet',
}

/** A move in words, with its whole amount. */
interface SaidMove {
  readonly what: string
  /** Decimal text; null where the bytes do not say how much. */
  readonly amount: string | null
  readonly unit: string
  /** Address of the token; null for the native one. */
  readonly token: string | null
}

/** Says a move: the native token with its decimals where the network's terms are known, anything else in base units, which is never wrong. */
export function sayMove({ kind, asset, amount }: AuditMove, token: Token | null): SaidMove {
  const native = asset === 'native'
  const what = KINDS[kind]
  if (native && token !== null)
    return { what, amount: amount === null ? null : decimal(amount, token.decimals), unit: token.symbol, token: null }
  return { what, amount, unit: native ? 'base units of the native token' : 'base units of', token: native ? null : asset }
}

/** What is looked for first where a list has room for one amount. */
const FIRST = ['leaves', 'freed', 'staked', 'arrives'] as const

/** Finds the amount of the native token that a list shows of a transaction, as decimal text; null where its bytes say none, or nobody knows the token. */
export function mainAmount(moves: readonly AuditMove[] | null, token: Token | null): string | null {
  if (token === null) return null
  const native = (moves ?? []).filter(({ asset, amount }) => asset === 'native' && amount !== null)
  const move = FIRST.flatMap((kind) => native.filter((each) => each.kind === kind))[0]
  return move?.amount == null ? null : decimal(move.amount, token.decimals)
}

/** Writes base units as a decimal, without zeros at the end; digits are moved, not counted. What is no whole number stays as it is. */
export function decimal(units: string, decimals: number): string {
  if (!/^\d+$/.test(units) || decimals === 0) return units
  const padded = units.padStart(decimals + 1, '0')
  const fraction = padded.slice(-decimals).replace(/0+$/, '')
  const whole = padded.slice(0, -decimals)
  return fraction === '' ? whole : `${whole}.${fraction}`
}

/** Finds the native token of a record's network, by its pinned terms; null where they do not say. */
export function tokenOf(protocols: readonly ProtocolTokens[] | undefined, protocol: string | null, network: string | null): Token | null {
  const terms = protocols?.find((each) => each.protocol === protocol)?.networks.find((each) => each.network === network)?.terms
  if (typeof terms !== 'object' || terms === null) return null
  const { decimals, symbol } = terms as { readonly decimals?: unknown; readonly symbol?: unknown }
  return typeof decimals === 'number' && typeof symbol === 'string' ? { decimals, symbol } : null
}
