import { createHash } from 'node:crypto'
import type { Report } from '../../report.ts'
import type { Extra } from '../genesis.ts'
import { createJudge, type Judge } from '../judge.ts'
import { deposit } from '../messages.ts'
import { isRefusal, type LandedTransaction, type Player, type PreparedTransaction } from '../player.ts'
import { createSender } from '../sender.ts'

/** In how many denominations a validator pays rewards, one after the other; the chain's own token is the first. */
const COUNTS = [1, 3, 14, 20, 40] as const
/** Who deposits rewards that nobody asked for. */
export const STRANGER = 'stranger'

const MOST = 40
/** Percent of the gas limit used at least on the Hub where no denomination came: the room for new ones costs no more than this. */
const LEAST = 55
/** Percent of the gas limit used at least: every transaction has room for each denomination that the validator holds for anybody, and need not get them. */
const LEAST_USED = 30
const TOKEN = 1_000_000n
/** So much that the smallest stake of the life gets whole units. */
const DEPOSIT = 1_000_000_000_000n
/** Gas of a deposit in 40 denominations, with room. */
const GAS = 8_000_000n

/** Foreign denominations, every other one of another chain as IBC names them. */
const FOREIGN = Array.from({ length: MOST }, (_, index) =>
  index % 2 === 0 ? `coin${String(index).padStart(2, '0')}` : ibc(`coin ${index}`),
)

/** How many denominations that nobody has held come between craft and block. */
const NEW_COUNTS = [1, 3] as const
/** Actions that pay rewards out. */
const PAYING = ['claim-rewards', 'stake', 'unstake'] as const

/** Denominations that the validator does not hold until they come between a craft and its block: as IBC names them, each once. */
const NEW = NEW_COUNTS.flatMap((count) =>
  PAYING.map((action) => Array.from({ length: count }, (_, index) => ibc(`new ${count} ${action} ${index}`))),
)

/** Amount that the stranger has of each denomination, to be given in genesis. */
export const STRANGERS: Extra = Object.fromEntries([...FOREIGN, ...NEW.flat()].map((denom) => [denom, DEPOSIT * 1_000n]))

/** Wallets of the life. */
export const DENOMINATION_WALLETS = [STRANGER, 'tiny', 'settled', ...COUNTS.flatMap((count) => [`pays-${count}`, `between-${count}`])]

/**
 * Stakes, claims and leaves while rewards come in more and more denominations, those there when the transaction is crafted and those that appear before its block.
 *
 * @param player whose validator nobody else of the run stakes with
 */
export async function denominationsLife(report: Report, player: Player): Promise<void> {
  const { chain, validator } = player
  const sender = createSender(chain)
  const stranger = chain.wallet(STRANGER)
  const judge = createJudge(report, chain.family, LEAST_USED)
  const give = async (denoms: readonly string[]): Promise<void> =>
    denoms.length === 0
      ? undefined
      : void (await sender.land(
          stranger,
          [deposit(stranger.address, validator, Object.fromEntries(denoms.map((denom) => [denom, DEPOSIT])))],
          {
            gasLimit: GAS,
          },
        ))

  await newOnes(report, player, give)

  // A stake of one unit earns nothing: no denomination at all.
  const tiny = chain.wallet('tiny')
  judge.landed(await player.act(tiny, 'stake', 1n))
  judge.landed(await player.act(tiny, 'stake', 1n))
  judge.landed(await player.act(tiny, 'unstake', 1n))

  await Promise.all(COUNTS.map(async (count) => judge.landed(await player.act(chain.wallet(`pays-${count}`), 'stake', 1_000n * TOKEN))))
  for (const count of COUNTS) {
    const denoms = FOREIGN.slice(0, count - 1)
    const pays = chain.wallet(`pays-${count}`)
    await give(denoms)
    await chain.pass(1)
    judge.landed(await player.act(pays, 'stake', 10n * TOKEN))
    await give(denoms)
    await arrive(player, judge, await craftClaim(player, pays.name))
    await give(denoms)
    await chain.pass(1)
    judge.landed(await player.act(pays, 'unstake', 100n * TOKEN))
    await between(player, judge, count, () => give(denoms))
  }
  judge.close()
}

/**
 * Denominations of which no reading at the craft could have told come before its block, one and three at a time: all land. Without them no limit is paid for nothing.
 * First of all, so that the validator holds the chain's own token alone, as most do.
 */
async function newOnes(report: Report, player: Player, give: (denoms: readonly string[]) => Promise<void>): Promise<void> {
  const { chain } = player
  const wallet = chain.wallet('settled')
  const craft = (action: (typeof PAYING)[number]) =>
    action === 'claim-rewards' ? craftClaim(player, wallet.name) : player.craft(wallet, action, TOKEN)
  const usual = createJudge(report, chain.family)
  usual.landed(await player.act(wallet, 'stake', 1_000n * TOKEN))
  for (const action of PAYING) {
    await chain.pass(1)
    const { delivered, gasLimit } = await arrive(player, usual, await craft(action))
    report.check(
      `${action} into whose block none came uses ${LEAST} percent of its limit`,
      delivered.gasUsed * 100n >= gasLimit * BigInt(LEAST),
      `${delivered.gasUsed} of ${gasLimit} gas`,
    )
  }
  usual.close()
  const judge = createJudge(report, chain.family, LEAST_USED)
  const waiting = [...NEW]
  for (const count of NEW_COUNTS)
    for (const action of PAYING) {
      const denoms = waiting.shift() ?? []
      await chain.pass(1)
      const prepared = await craft(action)
      await give(denoms)
      const landed = await arrive(player, judge, prepared)
      report.check(
        `${action} into whose block ${count} new denominations came lands`,
        landed.delivered.code === 0 && landed.status?.status === 'final',
        `code ${landed.delivered.code}, ${landed.delivered.gasUsed} of ${landed.gasLimit} gas`,
      )
      report.say(`${action}, ${count} new: ${landed.delivered.gasUsed} of ${landed.gasLimit} gas`)
    }
  judge.close()
}

/** Crafts while nothing is due, and sends when all denominations are. */
async function between(player: Player, judge: Judge, count: number, give: () => Promise<void>): Promise<void> {
  const { chain } = player
  const wallet = chain.wallet(`between-${count}`)
  judge.landed(await player.act(wallet, 'stake', 1_000n * TOKEN))
  for (const [action, amount] of [
    ['stake', 10n * TOKEN],
    ['unstake', 100n * TOKEN],
  ] as const) {
    const prepared = await player.craft(wallet, action, amount)
    await give()
    await chain.pass(1)
    await arrive(player, judge, prepared)
  }
  // A claim is crafted only where there is something to claim: the chain's own token is due after a block, the others appear.
  const claim = await craftClaim(player, wallet.name)
  await give()
  await arrive(player, judge, claim)
}

/** Blocks until a stake of the life is owed a unit: one, or a few where its own transaction was in the last. */
const OWED_AFTER = 30

/** Crafts a claim as soon as there is something to claim. */
async function craftClaim(player: Player, name: string): Promise<PreparedTransaction> {
  for (let blocks = 1; ; blocks++) {
    await player.chain.pass(1)
    try {
      return await player.craft(player.chain.wallet(name), 'claim-rewards')
    } catch (error) {
      if (!isRefusal(error, 'NOTHING_TO_CLAIM') || blocks === OWED_AFTER) throw error
    }
  }
}

async function arrive(player: Player, judge: Judge, prepared: PreparedTransaction): Promise<LandedTransaction> {
  await player.send(prepared)
  const landed = await player.follow(prepared)
  judge.landed(landed)
  return landed
}

/** Name of a denomination as IBC makes it. */
function ibc(seed: string): string {
  return `ibc/${createHash('sha256').update(seed).digest('hex').toUpperCase()}`
}
