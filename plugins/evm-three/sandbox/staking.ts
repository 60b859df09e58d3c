import { type EvmChain, multicallAbi, multicallAddress } from '@svc/sandbox-evm'
import { Interface, type InterfaceAbi } from 'ethers'
import contracts from './contracts.generated.json' with { type: 'json' }

/** Address of Monad's staking precompile. */
export const stakingAddress = '0x0000000000000000000000000000000000001000'

/** The precompile's own calls and events, from the stand-in's interface and not from the plugin. */
export const stakingAbi: InterfaceAbi = contracts.IStaking.abi

/** Who pays for what the real chain's consensus does by itself. It has no key. */
const consensusAccount = '0x00000000000000000000000000000000c0415e05'

const calls = new Interface(stakingAbi)
const controls = new Interface(contracts.IStakingControl.abi)
const multicall = new Interface(multicallAbi)
/** For calls that walk through the whole set; explicit, because an estimate would run them several times. */
const gas = 120_000_000n
const purse = 10n ** 30n

/** One step of consensus: a call of the stand-in's own, and the value that goes with it, in wei. */
interface ConsensusCall {
  readonly data: string
  readonly value: bigint
}

/** Registers a validator; `stake` (wei) becomes its auth account's, active at once. `commission` 1e18 is all of it. */
export function addValidator(id: number, authAddress: string, commission: bigint, stake: bigint): ConsensusCall {
  return { data: controls.encodeFunctionData('addValidator', [id, authAddress, commission]), value: stake }
}

/** The commission that a validator's auth account sets; 1e18 is all of it. */
export function setCommission(id: number, commission: bigint): ConsensusCall {
  return { data: controls.encodeFunctionData('setCommission', [id, commission]), value: 0n }
}

/** The boundary block: the delay period begins. */
export function snapshot(): ConsensusCall {
  return { data: controls.encodeFunctionData('snapshot'), value: 0n }
}

/** The delay period ends, and with it the epoch. */
export function epochChange(): ConsensusCall {
  return { data: controls.encodeFunctionData('epochChange'), value: 0n }
}

/** Block rewards of one validator, in wei. */
export function reward(id: number, amount: bigint): ConsensusCall {
  return { data: controls.encodeFunctionData('reward', [id]), value: amount }
}

/** Block rewards of the whole set, in wei, in proportion to the stakes of this epoch. */
export function rewardSet(amount: bigint): ConsensusCall {
  return { data: controls.encodeFunctionData('rewardSet'), value: amount }
}

/** A call of the precompile in an address's name, without its key. @param value wei */
export async function act(chain: EvmChain, from: string, method: string, args: readonly unknown[], value = 0n): Promise<void> {
  await chain.send({ from, to: stakingAddress, data: calls.encodeFunctionData(method, args), value })
}

/** Puts the stand-in's code at the precompile's address, in epoch 1 and without validators. */
export async function putStaking(chain: EvmChain): Promise<void> {
  await chain.setCode(stakingAddress, contracts.Staking.deployedBytecode)
  await chain.fund(consensusAccount, purse)
}

/**
 * Does what consensus would do, in one transaction: all of the calls in order, or none.
 *
 * @example drive(chain, snapshot(), epochChange()) // the next epoch
 * @throws SandboxError `RPC_ERROR` when the stand-in refuses one, such as a reward for a validator outside the set
 */
export async function drive(chain: EvmChain, ...steps: readonly ConsensusCall[]): Promise<void> {
  const value = steps.reduce((sum, step) => sum + step.value, 0n)
  const calls = steps.map((step) => ({ target: stakingAddress, allowFailure: false, value: step.value, callData: step.data }))
  const data = multicall.encodeFunctionData('aggregate3Value', [calls])
  await chain.send({ from: consensusAccount, to: multicallAddress, data, value, gas })
}

/** The epoch, and whether the delay period before its end has begun. */
export async function epochOf(chain: EvmChain): Promise<{ epoch: number; inDelayPeriod: boolean }> {
  const data = await chain.call({ to: stakingAddress, data: calls.encodeFunctionData('getEpoch') })
  const [epoch, inDelayPeriod] = calls.decodeFunctionResult('getEpoch', data)
  return { epoch: Number(epoch), inDelayPeriod }
}
