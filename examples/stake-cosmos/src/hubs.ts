import { type HubIntent, hubOne, hubTwo } from '@svc/intent-hub'

/** Differences between two chains of the family, as far as a caller is concerned. */
export interface Hub {
  readonly title: string
  readonly intent: HubIntent
  /** Prefix of account addresses. */
  readonly prefix: string
  /** Base unit: a millionth of the coin. */
  readonly denom: string
  /** Somebody else's validator. */
  readonly other: string
}

/** The journey is made once on each. */
export const hubs: readonly Hub[] = [
  {
    title: 'COSMOS HUB',
    intent: hubOne,
    prefix: 'cosmos',
    denom: 'uatom',
    other: 'cosmosvaloper1xvenxvenxvenxvenxvenxvenxvenxvene23vre',
  },
  {
    title: 'CELESTIA',
    intent: hubTwo,
    prefix: 'celestia',
    denom: 'utia',
    other: 'celestiavaloper1xvenxvenxvenxvenxvenxvenxvenxvengtksrp',
  },
]
