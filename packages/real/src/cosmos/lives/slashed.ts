import { QueryValidatorRequest, QueryValidatorResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { until } from '../../programs.ts'
import type { Report } from '../../report.ts'
import type { Service } from '../../service.ts'
import type { Chain } from '../chain.ts'
import { ownersOf } from '../genesis.ts'
import { createJudge } from '../judge.ts'
import { unjail } from '../messages.ts'
import type { Player } from '../player.ts'
import { createSender } from '../sender.ts'
import { chanceOf } from './chance.ts'
import { randomLife } from './random.ts'

/** Index of the validator that is absent for a while. */
export const ABSENT = 2
type ChainNode = Chain['nodes'][number]
const TOKEN = 1_000_000n
/**
 * Percent of its gas limit that a transaction uses here at least, in place of what the judge asks for elsewhere: after a slash 48 to 72 percent were seen on the Hub and on
 * Celestia (2026-11-28). Why it is less than before is not known.
 */
const LEAST_USED = 45
/** Time in which a node that catches up has one block more, in seconds: its peers have many for it. */
const STILL_SECONDS = 60
/** Times that such a node is started anew. */
const MOST_STARTS = 3
/** A window of absence and what it takes until a validator may come back, in seconds, with room for a busy machine. */
const ABSENCE_SECONDS = 300

/**
 * Slashes a validator by its absence, and goes on with shares that are not worth a unit each: whoever leaves gets a unit less now and then, and nobody is alarmed.
 *
 * @param account of the service that stakes with that validator
 */
export async function slashedLife(
  report: Report,
  { player, service, account }: { readonly player: Player; readonly service: Service; readonly account: string },
  { names, actions, seed }: { readonly names: readonly string[]; readonly actions: number; readonly seed: string },
): Promise<void> {
  const { chain, validator } = player
  const node = chain.nodes[ABSENT]
  const owner = ownersOf(chain.family.prefix)[ABSENT]
  if (!owner) throw new Error('The chain has no such validator.')
  const before = createJudge(report.within('before'), chain.family)
  await Promise.all(
    names.map(async (name) => {
      const amount = 100n * TOKEN + chanceOf(`${seed} slashed ${name}`).units(10_000n * TOKEN)
      before.landed(await player.act(chain.wallet(name), 'stake', amount))
    }),
  )
  before.close()

  await node.stop()
  await until('the validator is jailed for its absence', ABSENCE_SECONDS, async () => (await stateOf(player)).jailed)
  report.check('the validator was slashed', (await stateOf(player)).tokens < (await stateOf(player)).shares)
  // While it is jailed everybody may leave, and nobody may come.
  const during = createJudge(report.within('jailed'), chain.family)
  await Promise.all(names.slice(0, 4).map(async (name) => during.landed(await player.act(chain.wallet(name), 'unstake', 33_333_333n))))
  during.close()

  await node.start()
  // Back before its node has caught up, the validator would be absent again, and slashed a second time.
  await catchUp(node, chain.nodes[0])
  const sender = createSender(chain)
  await until('the validator may come back', ABSENCE_SECONDS, async () => {
    await sender.land(owner, [unjail(validator)]).catch(() => null)
    return !(await stateOf(player)).jailed
  })
  await randomLife(report.within('after'), player, { names, actions, seed: `${seed} after the slash`, least: LEAST_USED })
  await chain.pass(2)
  const alarms = (await service.events(account)).filter(({ type }) => type === 'transaction.amounts_differ')
  report.equal(
    'nobody was alarmed that amounts differ',
    alarms.map(({ data }) => data),
    [],
  )
}

/** Waits for a node that was absent, for as long as its height rises; one that stands still is started anew, as its operator would. @throws Error where that does not help */
async function catchUp(node: ChainNode, other: ChainNode): Promise<void> {
  let height = -1n
  for (let starts = 0; ; )
    try {
      height = await until('the node that was absent goes on', STILL_SECONDS, async () => {
        const own = await node.rpc.height()
        return own > height ? own : null
      })
      if (height + 1n >= (await other.rpc.height())) return
    } catch (error) {
      if (++starts > MOST_STARTS) throw error
      await node.stop()
      await node.start()
    }
}

async function stateOf({
  chain,
  validator,
}: Player): Promise<{ readonly jailed: boolean; readonly tokens: bigint; readonly shares: bigint }> {
  const request = QueryValidatorRequest.encode({ validatorAddr: validator }).finish()
  const { value } = await chain.nodes[0].rpc.query('/cosmos.staking.v1beta1.Query/Validator', request)
  const record = QueryValidatorResponse.decode(value).validator
  return { jailed: record.jailed, tokens: BigInt(record.tokens), shares: BigInt(record.delegatorShares) / 10n ** 18n }
}
