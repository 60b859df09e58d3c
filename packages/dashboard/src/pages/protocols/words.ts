import type { Exact, StakingInfo } from '../../api/protocols.ts'
import { grouped } from '../../text/amount.ts'

/** Minutes in words, none left out: `at once`, `4 h 35 min`, `14 days 1 h`. What is no whole number of minutes stays a number of minutes. */
export function minutesText(minutes: Exact): string {
  const whole = Number(minutes)
  if (!Number.isSafeInteger(whole) || whole < 0) return `${minutes}\u00a0min`
  if (whole === 0) return 'at once'
  const days = Math.floor(whole / 1440)
  const hours = Math.floor((whole % 1440) / 60)
  const rest = whole % 60
  return [
    days > 0 ? `${days}\u00a0day${days === 1 ? '' : 's'}` : '',
    hours > 0 ? `${hours}\u00a0h` : '',
    rest > 0 ? `${rest}\u00a0min` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** Writes a rate with every digit that the service gave: `14.1911989357 %`. */
export function percentText(percent: Exact): string {
  return `${percent}\u00a0%`
}

/** Writes a rate to two decimals, for a list to be compared in: `14.19 %`. A rate is an estimate; the network's own page has every digit. */
export function roundedPercent(percent: Exact): string {
  return `${Number(percent).toFixed(2)}\u00a0%`
}

/** Form in which a member of staking-info is shown. */
type InfoKind = 'wait' | 'percent' | 'amount' | 'dollars' | 'count'

/** A member of staking-info in words. */
export interface InfoWord {
  readonly member: keyof StakingInfo
  readonly name: string
  readonly kind: InfoKind
  /** Meaning of an absent value. */
  readonly none: string
}

const NOT_APPLICABLE = 'does not apply'
const NOT_KNOWN = 'not known'

/** Every member of staking-info, in the order in which it is read. */
export const INFO: readonly InfoWord[] = [
  { member: 'staking_apr', name: 'Yearly rate, after fees', kind: 'percent', none: NOT_APPLICABLE },
  { member: 'staking_apy', name: 'With compounding', kind: 'percent', none: NOT_APPLICABLE },
  { member: 'staking_reward_fee', name: 'Fees on rewards', kind: 'percent', none: NOT_APPLICABLE },
  { member: 'withdrawal_fee', name: 'Fee on withdrawal', kind: 'percent', none: NOT_APPLICABLE },
  { member: 'max_slashing_percentage', name: 'Slashed at most', kind: 'percent', none: NOT_APPLICABLE },
  { member: 'stake_activation_max_time', name: 'Active within', kind: 'wait', none: NOT_APPLICABLE },
  { member: 'stake_deactivation_max_time', name: 'Unbonded within', kind: 'wait', none: NOT_APPLICABLE },
  { member: 'withdrawal_max_time', name: 'Then spendable within', kind: 'wait', none: NOT_APPLICABLE },
  { member: 'min_stake_amount', name: 'Least stake', kind: 'amount', none: NOT_APPLICABLE },
  { member: 'max_stake_amount', name: 'Most stake', kind: 'amount', none: 'no limit' },
  { member: 'tvl_token', name: 'Staked here', kind: 'amount', none: NOT_KNOWN },
  { member: 'tvl_usd', name: 'Worth', kind: 'dollars', none: NOT_KNOWN },
  { member: 'users', name: 'Stakers', kind: 'count', none: NOT_KNOWN },
]

/** Writes a member's value as text; amounts are without their unit. */
export function infoText(value: Exact, kind: InfoKind): string {
  if (kind === 'wait') return minutesText(value)
  if (kind === 'percent') return percentText(value)
  if (kind === 'dollars') return `US$\u00a0${grouped(String(value))}`
  return grouped(String(value))
}

/** Terms that every network has, as people call them; a protocol's own are described by the service. */
const TERMS: Readonly<Record<string, string>> = {
  chainId: 'Chain',
  caip2: 'Chain by CAIP-2',
  decimals: 'Decimals of the token',
  symbol: 'Token',
  max_fee: 'Fee at most',
}
/** Terms of every network that stand behind the protocol's own, in this order: what a transaction may cost, and then the chain. */
const LAST = ['max_fee', 'chainId', 'caip2', 'symbol', 'decimals']

/** Returns the name of a term; a plugin's own by its name. */
export function termName(name: string): string {
  return TERMS[name] ?? capital(name.replaceAll('_', ' '))
}

/** Puts terms in the order in which they are read: the protocol's own first, as its intent lists them, since they say whom a stake goes to. */
export function termsInOrder(
  terms: Readonly<Record<string, Exact>>,
  own: readonly string[],
): readonly (readonly [name: string, value: Exact])[] {
  const place = (name: string) => {
    if (own.includes(name)) return own.indexOf(name)
    return LAST.includes(name) ? 2000 + LAST.indexOf(name) : 1000
  }
  return Object.entries(terms).toSorted(([one], [other]) => place(one) - place(other))
}

/** Writes terms as a trust document has them. */
export function termsAsJson(isDefault: boolean, terms: Readonly<Record<string, Exact>>): string {
  return JSON.stringify({ default: isDefault, terms }, null, 2)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
