import { type ChainOperation, SandboxError, show } from '@svc/sandbox'
import { parseAddress } from './address.ts'
import type { BlockAround } from './app.ts'
import { NO_COINS, truncated } from './dec-coins.ts'
import { addFeeDenoms, depositRewards, feeDenoms, pendingRewards } from './modules/distribution.ts'
import type { Block, Node } from './node.ts'

/** Functions of a chain that its operations need. */
interface Chain {
  latest(): { block: number; timestamp: number }
  makeBlock(around: BlockAround): Block
}

/**
 * Makes the operations on rewards: in which denominations they come, and what was paid of them.
 *
 * @param running the chain's node
 * @param operatorOf the validator that a body names, else the operator's
 * @throws SandboxError before its genesis
 */
export function rewardOperations(
  chain: Chain,
  running: () => Node,
  operatorOf: (body: Readonly<Record<string, unknown>>) => string,
): Readonly<Record<string, ChainOperation>> {
  return {
    rewards: {
      example: { denominations: ['ibc/27', 'uother'] },
      members: ['denominations'],
      async run({ denominations }) {
        const denoms = denomsOf(denominations)
        chain.makeBlock({ begin: (ctx) => addFeeDenoms(ctx.state, denoms) })
        const { genesis, app } = running()
        return { ...chain.latest(), denominations: [genesis.denom, ...feeDenoms(app.view())].sort() }
      },
    },
    deposit: {
      example: { validator: '…valoper1…', denominations: ['ibc/27', 'uother'], units: '1000000' },
      members: ['validator', 'denominations', 'units'],
      async run(body) {
        const operator = operatorOf(body)
        const units = unitsOf(body.units)
        const coins = new Map(denomsOf(body.denominations).map((denom) => [denom, units] as const))
        chain.makeBlock({ begin: (ctx) => depositRewards(ctx, operator, coins) })
        return { ...chain.latest(), validator: operator, denominations: [...coins.keys()].sort() }
      },
    },
    paid: {
      example: { address: '…1…', validator: '…valoper1…' },
      members: ['address', 'validator'],
      async run(body) {
        const node = running()
        const { prefix, denom } = node.genesis
        const rewards = rewardsOf(node, parseAddress(body.address, prefix), operatorOf(body))
        const amounts = ({ paid, pending }: Owed) => ({ paid: String(paid), pending: String(pending) })
        const own = rewards.get(denom) ?? { paid: 0n, pending: 0n }
        const further = [...rewards].filter(([name]) => name !== denom).map(([name, owed]) => [name, amounts(owed)] as const)
        return { ...chain.latest(), ...amounts(own), further: Object.fromEntries(further) }
      },
    },
  }
}

/** Coins of a denomination that the chain has paid a delegation since it began, and that it owes it now, in whole base units. */
interface Owed {
  readonly paid: bigint
  readonly pending: bigint
}

/** Lists what the chain has paid a delegation, and owes it, by denomination and its own account. */
function rewardsOf(node: Node, address: string, operator: string): ReadonlyMap<string, Owed> {
  const owed = new Map<string, Owed>()
  const add = (denom: string, { paid = 0n, pending = 0n }: Partial<Owed>) => {
    const before = owed.get(denom) ?? { paid: 0n, pending: 0n }
    owed.set(denom, { paid: before.paid + paid, pending: before.pending + pending })
  }
  for (const { result } of node.txs())
    for (const { type, attributes } of result.events) {
      const value = (name: string) => attributes.find(({ key }) => key === name)?.value ?? ''
      if (type !== 'withdraw_rewards' || value('delegator') !== address || value('validator') !== operator) continue
      for (const coin of value('amount').split(',')) {
        const [, digits = '0', denom = ''] = /^(\d+)(.*)$/.exec(coin) ?? []
        if (digits !== '0') add(denom, { paid: BigInt(digits) })
      }
    }
  const pending = pendingRewards(node.app.view(), address, operator) ?? NO_COINS
  for (const [denom, amount] of truncated(pending)) add(denom, { pending: amount })
  return owed
}

/** Base units above 0; a whole coin of six places where none is named. */
function unitsOf(value: unknown = '1000000'): bigint {
  if (typeof value === 'string' && /^[1-9]\d{0,77}$/.test(value)) return BigInt(value)
  throw new SandboxError('INVALID_INPUT', `units is ${show(value)}: it must be base units above 0 as text, such as "1000000"`)
}

function denomsOf(value: unknown): string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : []
  const denoms = all.filter((each) => typeof each === 'string' && /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(each))
  if (denoms.length > 0 && denoms.length === all.length) return denoms.map(String)
  throw new SandboxError('INVALID_INPUT', `denominations is ${show(value)}: it must be a list of names, such as "ibc/27" or "uother"`)
}
