import type { Report } from '../../report.ts'
import { createJudge } from '../judge.ts'
import { type Action, isRefusal, type LandedTransaction, type Player, type Signing } from '../player.ts'

const TOKEN = 1_000_000n

/**
 * Plays a whole life: stake, stake more, seven exits with a claim right after each, everything else out, claim.
 *
 * A third is signed by a custodian, a third by Keplr, a third by a hardware wallet behind Keplr in amino JSON; the latter two with a fee of the wallet's own.
 *
 * A claim follows at once. On the Hub an exit has paid the rewards, so that there is nothing to claim before the next block; it is claimed then.
 *
 * @param name of the wallet
 */
export async function wholeLife(report: Report, player: Player, name: string): Promise<void> {
  const { chain } = player
  const wallet = chain.wallet(name)
  const judge = createJudge(report, chain.family)
  const ways: readonly Signing[] = ['extension', 'device', 'custodian']
  const landings: Record<Action, number> = { stake: 0, unstake: 0, 'claim-rewards': 0 }
  const next = (action: Action) => ways[landings[action] % ways.length]
  const landed = (transaction: LandedTransaction) => {
    const { action, signed } = transaction
    const choices = signed.changed.map(({ path }) => path)
    report.check(
      `a wallet that sets the fee of ${action} is found out, and no other`,
      choices.includes('terms.fee') === (next(action) !== 'custodian'),
      choices,
    )
    landings[action]++
    judge.landed(transaction)
  }
  const play = async (action: 'stake' | 'unstake', amount: bigint) => {
    landed(await player.act(wallet, action, amount, next(action)))
    judge.position(await player.position(wallet), `${name} after ${action}`)
  }
  const claims = { atOnce: 0, later: 0 }
  const claimed = async () => {
    const prepared = await player.craft(wallet, 'claim-rewards', 0n, next('claim-rewards')).catch((error: unknown) => {
      if (isRefusal(error, 'NOTHING_TO_CLAIM') || isRefusal(error, 'CLAIM_PAYS_NOTHING')) return null
      throw error
    })
    if (prepared === null) return false
    await player.send(prepared)
    landed(await player.follow(prepared))
    judge.position(await player.position(wallet), `${name} after a claim`)
    return true
  }
  const claim = async () => {
    if (await claimed()) {
      claims.atOnce++
      return
    }
    await chain.pass(1)
    if (await claimed()) claims.later++
  }

  await play('stake', 50_000n * TOKEN + 1n)
  await claim()
  await play('stake', 10_000n * TOKEN)
  await claim()
  for (let exit = 1; exit <= 6; exit++) {
    await play('unstake', BigInt(exit) * 1_000n * TOKEN + BigInt(exit))
    await claim()
  }
  const { said: answer } = await player.position(wallet)
  await play('unstake', answer.staked)
  await chain.pass(1)
  await claim()
  report.check(
    'each action was signed by Keplr and in amino JSON',
    Object.values(landings).every((times) => times >= 2),
    landings,
  )
  const { said: end } = await player.position(wallet)
  report.equal('nothing is staked any more', end.staked, 0n)
  report.check('claims were paid in between', claims.atOnce + claims.later > 0)
  report.say(`${claims.atOnce} claims right after another transaction, ${claims.later} a block later`)
  judge.close()
}
