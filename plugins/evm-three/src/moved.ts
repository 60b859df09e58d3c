import type { Moved } from '@svc/contract'
import { type EvmReceipt, eventsOf, parseAbi } from '@svc/kit-evm'
import { type StakingNetwork, validatorsOf } from './network.ts'

/** Events of the staking precompile. @see https://docs.monad.xyz/developer-essentials/staking (events, read 2026-11-21) */
const events = parseAbi([
  'event Delegate(uint64 indexed validatorId, address indexed delegator, uint256 amount, uint64 activationEpoch)',
  'event Undelegate(uint64 indexed validatorId, address indexed delegator, uint8 withdrawId, uint256 amount, uint64 activationEpoch)',
  'event Withdraw(uint64 indexed validatorId, address indexed delegator, uint8 withdrawId, uint256 amount, uint64 withdrawEpoch)',
  'event ClaimRewards(uint64 indexed validatorId, address indexed delegator, uint256 amount, uint64 epoch)',
])

/**
 * Most wei that leave with an exit besides what was asked for: the precompile leaves no rest behind that is below 1 gwei.
 *
 * @see https://docs.monad.xyz/developer-essentials/staking (dust threshold, read 2026-11-28)
 */
const MOST_DUST = 999_999_999n

/** Lists the moves that a transaction made for its signer. Compounded rewards arrive nowhere. */
export function moved(network: StakingNetwork, receipt: EvmReceipt): Moved {
  const { staking } = network
  const own = eventsOf(events, receipt, staking).filter(({ args }) => args.delegator.toLowerCase() === receipt.from)
  const of = (name: string) => own.filter((each) => each.name === name).map(({ args }) => args)
  const [delegated, undelegated, withdrawn, claimed] = [of('Delegate'), of('Undelegate'), of('Withdraw'), of('ClaimRewards')]
  const all = (kind: Moved['moves'][number]['kind'], amount: bigint) => ({ kind, asset: 'native', amount })
  const compounds = receipt.value === 0n && delegated.length > 0
  return {
    moves: [
      ...(receipt.value > 0n ? [all('leaves', receipt.value)] : []),
      ...delegated.map(({ amount }) => all('staked', amount)),
      ...undelegated.map(({ amount }) => all('freed', amount)),
      ...withdrawn.map(({ amount }) => all('arrives', amount)),
      ...(compounds ? [] : claimed.map(({ amount }) => all('arrives', amount))),
    ],
    ...(undelegated.length > 0 ? { adds: { freed: MOST_DUST * BigInt(undelegated.length) } } : {}),
    objectIds: undelegated.flatMap((it) =>
      validatorsOf(network).flatMap((each) => (it.validatorId === BigInt(each) ? [String(it.withdrawId)] : [])),
    ),
  }
}
