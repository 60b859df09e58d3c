import type { Report } from '../report.ts'
import type { Books } from './books.ts'
import type { CosmosFamily } from './family.ts'
import type { LandedTransaction, Player, Position } from './player.ts'
import { isOvertaken, type Slash, slashIn } from './slash.ts'

/** Compares what the service says with the node's books, many transactions to an assertion. */
export interface Judge {
  landed(landed: LandedTransaction): void
  position(reading: Awaited<ReturnType<Player['position']>>, who: string): void
  /** Prints what was found. */
  close(): void
}

/**
 * Above this a gas limit is not paid for nothing, in percent used: it has room for three denominations that are new, and for a payout that a block's time may make a whole
 * unit. The least seen is 49.1, of a stake on Celestia whose payout of 15,000 gas was not due yet: 125,062 of 254,205 (2026-11-29). Less room would save a tenth of a fee, and
 * cost the whole of it where both come. @see ../../../../docs/real-nodes.md
 */
const LEAST_USED = 48
/**
 * The same for exits. Those of one block stand in one list, which a simulation reads and writes as the last block left it: thirteen of these lives in one block make 47,000
 * gas (110 bytes each, at 33), which an exit that lands alone does not take. Without room for new denominations the least seen was 58 over 89 exits of Celestia
 * (2026-11-24), which is 47 with it.
 */
const LEAST_USED_BY_EXITS = 45

/**
 * Makes the judge, who holds what the service said of a transaction against the node's books.
 *
 * @param family whether the node keeps what a transaction did, so that `moves` must be told, and how much of its limit a transaction may use
 * @param least percent of its gas limit that a transaction has to use
 */
export function createJudge(report: Report, { keepsResults, mostUsed }: CosmosFamily, least = LEAST_USED): Judge {
  const final = report.tally('every transaction that landed is final and proven')
  const success = report.tally('none ran out of gas, and none failed')
  const fee = report.tally('the fee is that of the bytes, and what the account paid')
  const moves = report.tally(
    keepsResults ? "moves are what changed in the node's books, to the unit" : 'what the node does not keep is null, not empty',
  )
  const ids = report.tally(
    keepsResults ? 'an exit is named by the number that the chain gave it' : 'identifiers that the node does not keep are null',
  )
  const staked = report.tally('the stake changes by the amount')
  const leastOfExits = Math.min(least, LEAST_USED_BY_EXITS)
  const used = report.tally(`gas used is ${least} to ${mostUsed} percent of the limit, of an exit ${leastOfExits}`)
  const positions = report.tally("a balance is the node's, to the unit: stake, exits, rewards")
  const shares = new Map<string, number[]>()
  const overtaken = report.tally('an exit for more than a slash left is refused by the chain, and that is told')
  let slashes = 0
  return {
    landed(landed) {
      const { action, hash, status, delivered, gasLimit, before, after, amount } = landed
      const slash = slashIn(before, after)
      if (slash.stake > 0n || slash.exits > 0n) slashes++
      const name = `${action} ${hash.slice(0, 12)} of ${landed.wallet.name} at ${delivered.height}`
      if (action === 'unstake' && delivered.code !== 0 && isOvertaken(amount, before, slash)) {
        overtaken.note(status?.status === 'failed' && status.certainty === 'proven', () => `${name}: ${statusText(landed)}`)
        return
      }
      final.note(status?.status === 'final' && status.certainty === 'proven', () => `${name}: ${statusText(landed)}`)
      success.note(delivered.code === 0, () => `${name}: code ${delivered.code}, ${delivered.gasUsed} of ${gasLimit} gas`)
      const percent = Number((delivered.gasUsed * 1_000n) / gasLimit) / 10
      used.note(
        percent >= (action === 'unstake' ? leastOfExits : least) && percent <= mostUsed,
        () => `${name}: ${percent} %, ${delivered.gasUsed} of ${gasLimit}`,
      )
      const list = shares.get(action) ?? []
      list.push(percent)
      shares.set(action, list)
      if (delivered.code !== 0) return

      const feeText = status?.fee ? String(status.fee.amount) : 'nothing'
      fee.note(feeText !== 'nothing' && unitsEqual(feeText, landed.fee), () => `${name}: ${feeText} instead of ${landed.fee} base units`)
      const change = after.staked - before.staked + slash.stake
      // Of shares that are not worth a whole unit each the chain cuts one unit off.
      const expected = action === 'stake' ? amount : action === 'unstake' ? -amount : 0n
      staked.note(
        change - expected >= -1n && change - expected <= 1n,
        () => `${name}: ${change} instead of ${expected}, but for ${slash.stake} that a slash took`,
      )
      if (!keepsResults) {
        moves.note(status?.moves === null, () => `${name}: moves are ${JSON.stringify(status?.moves)}`)
        if (action === 'unstake') ids.note(status?.object_ids === null, () => `${name}: ${JSON.stringify(status?.object_ids)}`)
        return
      }
      const differences = movesDiffer(landed, slash)
      moves.note(differences.length === 0, () => `${name}: ${differences.join('; ')}`)
      if (action === 'unstake') {
        const earlierIds = new Set(before.exits.map(({ id }) => id))
        const fresh = after.exits.filter(({ id }) => !earlierIds.has(id)).map(({ id }) => id)
        ids.note(fresh.join() === (status?.object_ids ?? []).join(), () => `${name}: ${status?.object_ids} instead of ${fresh}`)
      }
    },
    position({ said: answer, books }, who) {
      const texts = books.map(positionText)
      const text = JSON.stringify(answer, bigintText)
      positions.note(texts.includes(text), () => `${who}: ${text}\n         ${texts.join('\n         ')}`)
    },
    close() {
      for (const each of [final, success, fee, moves, staked, used]) each.close()
      // Not every part of a life has exits, or reads positions.
      for (const each of [ids, positions, overtaken]) if (each.count() > 0) each.close()
      if (slashes > 0) report.say(`${slashes} landed in the very block of a slash`)
      for (const [action, percents] of shares) {
        const sorted = percents.toSorted((a, b) => a - b)
        report.say(`${action}: ${percents.length}, gas used ${sorted[0]} to ${sorted.at(-1)} percent of the limit`)
      }
    },
  }
}

/** Compares what moves say with the books before and after the block. An exit that ended in the block is paid by the chain, and no move. */
function movesDiffer({ status, before, after, fee }: LandedTransaction, slash: Slash): readonly string[] {
  if (!status?.moves) return [`moves are ${JSON.stringify(status?.moves)}`]
  const sumOf = (kind: string) =>
    (status.moves ?? []).filter((move) => move.kind === kind).reduce((sum, { units }) => sum + BigInt(units ?? '0'), 0n)
  const remaining = new Set(after.exits.map(({ id }) => id))
  const paid = before.exits.filter(({ id }) => !remaining.has(id)).reduce((sum, { amount }) => sum + amount, 0n)
  const coins = after.coins - before.coins + fee - paid
  const staked = after.staked - before.staked + slash.stake
  const differences: string[] = []
  if (sumOf('arrives') - sumOf('leaves') !== coins)
    differences.push(`${sumOf('arrives')} arrived and ${sumOf('leaves')} left, and the account has ${coins} more but for fee and exits`)
  // A unit is cut off where shares are not worth one.
  const freed = sumOf('staked') - sumOf('freed') - staked
  if (freed < -1n || freed > 1n) differences.push(`${sumOf('staked')} staked and ${sumOf('freed')} freed, and the stake is ${staked} more`)
  const sum = (exits: Books['exits']) => exits.reduce((total, { amount }) => total + amount, 0n)
  const began = sum(after.exits) + paid + slash.exits - sum(before.exits)
  if (sumOf('freed') !== began) differences.push(`${sumOf('freed')} freed, and exits are ${began} more`)
  return differences
}

function positionText({ staked, exits, rewards }: Books): string {
  const position: Position = {
    staked,
    deactivating: exits.reduce((sum, { amount }) => sum + amount, 0n),
    rewards,
    exits: exits.map(({ id, amount }) => `${id}:${amount}`),
  }
  return JSON.stringify(position, bigintText)
}

function bigintText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

function unitsEqual(amount: string, units: bigint): boolean {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(6, '0')) === units
}

function statusText({ status }: LandedTransaction): string {
  return status === null ? 'no end was told' : `${status.status}, ${status.certainty}, ${JSON.stringify(status.error)}`
}
