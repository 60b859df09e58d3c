import { Interface } from 'ethers'
import type { Question } from './staking.ts'

/** The chain's parameters: texts by keys. Mainnet genesis (read 2026-11-21). */
const config = new Interface(['function getConfig(string key) view returns (string)'])

/** What the contract takes for an epoch when the parameter says nothing of use, in milliseconds: 4 hours. Public contract sources (read 2026-11-21). */
const EPOCH_MS = 14_400_000
const SHORTEST_EPOCH_MS = 1_000

/** Length of an epoch at least, in seconds: an epoch ends when the chain's system sender ends it, and never sooner. */
export const askEpochSeconds: Question<number> = parameter('chain.epoch_duration', (text) => {
  const ms = Number(digits(text || '0'))
  return (ms < SHORTEST_EPOCH_MS ? EPOCH_MS : ms) / 1000
})

/** Epochs between an exit and its payment. */
export const askWindow: Question<bigint> = parameter('staking.delegation_withdraw_effective_epoch', (text) => digits(text || '84'))

/** Smallest delegation, in wei. */
export const askMinimum: Question<bigint> = parameter('staking.min_delegator_stake', (text) => digits(text || `1${'0'.repeat(18)}`))

/** Most that a pool holds, in wei. */
export const askCap: Question<bigint> = parameter('staking.max_staking_pool_value', (text) => digits(text || `50000000${'0'.repeat(18)}`))

/** Whether staking is rewarded at all; the genesis had it switched off. */
export const askRewarded: Question<boolean> = parameter('chain.enable_pos_staking', (text) => text !== 'false' && text !== 'False')

/** @param read of the parameter's text, which is empty for a key that is not set */
function parameter<T>(key: string, read: (text: string) => T): Question<T> {
  return {
    method: `the parameter ${key}`,
    ofConfig: true,
    data: config.encodeFunctionData('getConfig', [key]),
    read: (answer) => read(String(config.decodeFunctionResult('getConfig', answer)[0])),
  }
}

/** A parameter that is no number is as good as unreadable; whoever asked is told so by its key. */
function digits(text: string): bigint {
  if (!/^\d+$/.test(text)) throw new RangeError(`"${text}" is no whole number`)
  return BigInt(text)
}
