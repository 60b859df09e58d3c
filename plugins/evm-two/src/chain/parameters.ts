import { parseAbi, type Question } from '@svc/kit-evm'
import type { StakingNetwork } from '../network.ts'

/** The chain's parameters: texts by keys. Mainnet genesis (read 2026-11-21). */
const config = parseAbi(['function getConfig(string key) view returns (string)'])

/** Length that the contract takes for an epoch when the parameter says nothing of use, in milliseconds: 4 hours. Public contract sources (read 2026-11-21). */
const EPOCH_MS = 14_400_000
const SHORTEST_EPOCH_MS = 1_000

/** Makes the question for the least length of an epoch, in seconds: an epoch ends when the chain's system sender ends it, and never sooner. */
export function askEpochSeconds(network: StakingNetwork): Question<number> {
  return parameter(network, 'chain.epoch_duration', (text) => {
    const ms = Number(digits(text || '0'))
    return (ms < SHORTEST_EPOCH_MS ? EPOCH_MS : ms) / 1000
  })
}

/** Makes the question for the number of epochs between an exit and its payment. */
export function askWindow(network: StakingNetwork): Question<bigint> {
  return parameter(network, 'staking.delegation_withdraw_effective_epoch', (text) => digits(text || '84'))
}

/** Makes the question for the smallest delegation, in wei. */
export function askMinimum(network: StakingNetwork): Question<bigint> {
  return parameter(network, 'staking.min_delegator_stake', (text) => digits(text || `1${'0'.repeat(18)}`))
}

/** Makes the question for the largest amount that a pool holds, in wei. */
export function askCap(network: StakingNetwork): Question<bigint> {
  return parameter(network, 'staking.max_staking_pool_value', (text) => digits(text || `50000000${'0'.repeat(18)}`))
}

/** Makes the question whether staking is rewarded at all; the genesis had rewards switched off. */
export function askRewarded(network: StakingNetwork): Question<boolean> {
  return parameter(network, 'chain.enable_pos_staking', (text) => text !== 'false' && text !== 'False')
}

/** @param read of the parameter's text, which is empty for a key that is not set */
function parameter<T>({ chain_config: to }: StakingNetwork, key: string, read: (text: string) => T): Question<T> {
  const text = config.question(to, 'getConfig', [key])
  // A text that is no number may well be the chain's.
  return { ...text, method: `the parameter ${key}`, read: (answer) => read(text.read(answer)), check: text.read }
}

/** A parameter that is no number is as good as unreadable; whoever asked is told so by its key. */
function digits(text: string): bigint {
  if (!/^\d{1,78}$/.test(text)) throw new RangeError(`"${text}" is no whole number`)
  return BigInt(text)
}
