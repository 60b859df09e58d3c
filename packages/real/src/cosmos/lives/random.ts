import type { Report } from '../../report.ts'
import { readBooks } from '../books.ts'
import { createJudge } from '../judge.ts'
import { type Action, isRefusal, type Player } from '../player.ts'
import { type Chance, chanceOf } from './chance.ts'

const TOKEN = 1_000_000n
/** As many exits of an address as the chain allows at a time. @see https://docs.cosmos.network/v0.53/build/modules/staking (MaxEntries, read 2026-11-24) */
const MOST_EXITS = 7

/**
 * As many exits at a time as an exit has room for beside itself: those of one block stand in one list, and the gas of each grows with it. Twenty-five in one block,
 * which no chain of the family has seen, ran out of gas from the twenty-third on.
 */
const EXITS_AT_ONCE = 6

/** Refusals that a random action may meet, since the state moves on between books and craft. */
const EXPECTED = [
  'NOTHING_TO_CLAIM',
  'CLAIM_PAYS_NOTHING',
  'TOO_MANY_UNBONDINGS',
  'INSUFFICIENT_STAKE',
  'INSUFFICIENT_BALANCE',
  'VALIDATOR_JAILED',
  'VALIDATOR_INACTIVE',
]

/**
 * Plays random actions of many wallets at a time and compares each with the node's books.
 *
 * @param names of the wallets
 * @param actions how many in all
 * @param seed what they follow from
 * @param least percent of its gas limit that a transaction has to use @default what the judge asks for
 */
export async function randomLife(
  report: Report,
  player: Player,
  {
    names,
    actions,
    seed,
    least,
  }: { readonly names: readonly string[]; readonly actions: number; readonly seed: string; readonly least?: number },
): Promise<void> {
  const judge = createJudge(report, player.chain.family, least)
  const refusals = report.tally('what is refused, the books would refuse')
  const counts = { landed: 0, refused: 0 }
  let left = actions
  let exiting = 0
  await Promise.all(
    names.map(async (name) => {
      const chance = chanceOf(`${seed} ${name}`)
      const wallet = player.chain.wallet(name)
      while (left-- > 0) {
        const [action, amount] = await choose(player, name, chance, () => exiting < EXITS_AT_ONCE)
        if (action === 'unstake') exiting++
        try {
          judge.landed(await player.act(wallet, action, amount))
          counts.landed++
        } catch (error) {
          if (!isRefusal(error)) throw error
          counts.refused++
          refusals.note(EXPECTED.includes(error.code), () => `${name} ${action} ${amount}: ${error.message}`)
        } finally {
          if (action === 'unstake') exiting--
        }
        judge.position(await player.position(wallet), name)
      }
    }),
  )
  report.say(`${counts.landed} actions landed, ${counts.refused} were refused`)
  if (counts.refused > 0) refusals.close()
  judge.close()
}

/** An action that the books allow, with an amount of whatever size. */
async function choose(
  { chain, validator }: Player,
  name: string,
  chance: Chance,
  mayExit: () => boolean,
): Promise<readonly [Action, bigint]> {
  const { coins, staked, rewards, exits } = await readBooks(chain.nodes[0].rpc, chain.family.denom, validator, chain.wallet(name).address)
  const kinds: Action[] = coins > 2n * TOKEN ? ['stake'] : []
  if (staked > 0n && exits.length < MOST_EXITS && mayExit()) kinds.push('unstake', 'unstake')
  if (rewards > 0n) kinds.push('claim-rewards', 'claim-rewards')
  const action = kinds[chance.below(kinds.length)] ?? 'stake'
  if (action === 'claim-rewards') return [action, 0n]
  const most = action === 'stake' ? coins - 2n * TOKEN : staked
  // All of it, a few units, or anything between.
  const size = chance.below(6)
  if (size === 0 && action === 'unstake') return [action, most]
  if (size === 1) return [action, 1n + chance.units(most < 10n ? most : 10n)]
  return [action, 1n + chance.units(action === 'stake' ? most / 3n : most)]
}
