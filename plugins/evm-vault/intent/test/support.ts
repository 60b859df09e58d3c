import { evmAnswer } from '@svc/testing/evm-answer'
import { type CraftRejection, type CraftReview, type Intent, readInput, review } from '@svc/verify/intent'
import { Interface } from 'ethers'
import { evmVault } from '../src/index.ts'

export const VAULT = '0xac0f906e433d58fa868f936e8a43230473652885'
export const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const REFERRER = '0x2222222222222222222222222222222222222222'
export const THIEF = '0x000000000000000000000000000000000000dead'
export const ETHER = 10n ** 18n
export const ROOT = `0x${'11'.repeat(32)}`
const PROOF = [`0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`]

export const network = {
  vault: VAULT,
  referrer: REFERRER,
  os_token_reserve_seconds: 3600,
  chainId: '1',
  caip2: 'eip155:1',
  decimals: 18,
  symbol: 'ETH',
  max_fee: '0.1',
}

const HARVEST = '(bytes32 root, int160 reward, uint160 unlocked, bytes32[] proof)'
const abi = new Interface([
  'function deposit(address, address) payable',
  `function updateStateAndDeposit(address, address, ${HARVEST}) payable`,
  `function updateState(${HARVEST})`,
  'function redeem(uint256, address)',
  'function enterExitQueue(uint256, address)',
  'function claimExitedAssets(uint256, uint256, uint256)',
  'function multicall(bytes[])',
])

export const harvest = { rewardsRoot: ROOT, reward: -5n, unlockedMevReward: 7n, proof: PROOF }
export const harvestArgs = [ROOT, -5n, 7n, PROOF] as const
export const told = `the report ${ROOT} of a reward of -0.000000000000000005 ETH and 0.000000000000000007 ETH of unlocked MEV, with the proof ${PROOF.join(' ')}`

/** Call data, by ethers. */
export function data(method: string, ...args: readonly unknown[]): string {
  return abi.encodeFunctionData(method, args)
}

/** Of several calls in one. */
export function all(...calls: readonly string[]): string {
  return data('multicall', calls)
}

export interface CallTrial {
  readonly data: string
  readonly amount?: string | bigint
  readonly to?: string
  readonly value?: bigint
  readonly facts?: Readonly<Record<string, unknown>>
}

/** What the caller's own check makes of an answer with this call. */
export function reviewed(name: string, { data, amount, to = VAULT, value = 0n, facts }: CallTrial): CraftReview | CraftRejection {
  const intent: Intent = evmVault
  const action = intent.actions[name]
  if (!action) throw new Error(`there is no action ${name}`)
  const input = readInput(action.input, { address: ADDRESS, ...(amount !== undefined && { amount }) }, 18)
  return review({ intent, action, terms: network, input, answer: evmAnswer('1', { to, value, data }), ...(facts && { facts }) })
}
