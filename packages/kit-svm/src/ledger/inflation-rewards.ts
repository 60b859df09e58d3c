import { setImmediate as nextTurn } from 'node:timers/promises'
import { countOf, listOf, memberOf } from '../answers.ts'
import type { SvmClient } from '../client.ts'
import { lamportsOf } from '../lamports.ts'
import { malformed } from '../rpc.ts'

/** Most accounts of a call: each is looked for in a block of its own. @see https://github.com/anza-xyz/agave/pull/13378 (read 2026-11-29) */
const PER_CALL = 32

/** Reward of a stake account for an epoch, as the chain has paid it. */
export interface InflationReward {
  readonly account: string
  /** Epoch in which it was earned. */
  readonly epoch: number
  /** Slot of the block that paid it, in the next epoch. */
  readonly slot: bigint
  /** Lamports. */
  readonly amount: bigint
}

/** Accounts whose rewards of an epoch are asked for with the next turn of the event loop. */
interface Gathering {
  readonly accounts: Set<string>
  readonly rewards: Promise<readonly InflationReward[]>
}

const gatherings = new WeakMap<SvmClient, Map<number, Gathering>>()

/**
 * Reads the rewards of accounts for an epoch. An account without a reward is left out. What is asked for in the same turn of the event loop is asked together, as when the books of several wallets are read:
 * after weeks each would take a call for each epoch.
 *
 * @throws 502, 503, 504; 503 EPOCH_REWARDS while they are being paid
 */
export async function readInflationRewards(
  client: SvmClient,
  accounts: readonly string[],
  epoch: number,
): Promise<readonly InflationReward[]> {
  const open = gatherings.get(client) ?? new Map<number, Gathering>()
  gatherings.set(client, open)
  const gathering = open.get(epoch) ?? gather(client, epoch, () => open.delete(epoch))
  open.set(epoch, gathering)
  for (const account of accounts) gathering.accounts.add(account)
  const own = new Set(accounts)
  return (await gathering.rewards).filter(({ account }) => own.has(account))
}

function gather(client: SvmClient, epoch: number, close: () => void): Gathering {
  const accounts = new Set<string>()
  const rewards = nextTurn().then(() => {
    close()
    return askRewards(client, [...accounts], epoch)
  })
  return { accounts, rewards }
}

async function askRewards({ rpc }: SvmClient, accounts: readonly string[], epoch: number): Promise<readonly InflationReward[]> {
  const parts = Array.from({ length: Math.ceil(accounts.length / PER_CALL) }, (_, at) => accounts.slice(at * PER_CALL, (at + 1) * PER_CALL))
  const options = { commitment: 'finalized', epoch }
  const rewards = await Promise.all(
    parts.map((part) =>
      rpc('getInflationReward', [part, options], (answer) => {
        const entries = listOf(answer)
        if (entries.length !== part.length) throw malformed(answer)
        return entries.flatMap((entry, index) => {
          if (entry === null) return []
          if (memberOf(entry, 'epoch') !== epoch) throw malformed(entry)
          const [slot, amount] = [countOf(memberOf(entry, 'effectiveSlot')), lamportsOf(memberOf(entry, 'amount'))]
          return [{ account: part[index] ?? '', epoch, slot, amount }]
        })
      }),
    ),
  )
  return rewards.flat().filter(({ amount }) => amount > 0n)
}
