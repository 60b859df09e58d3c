import { type Balance, formatAmount } from '@svc/contract'
import { type Check, thrown } from '../check.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'
import type { Member } from './member.ts'

const BUCKETS = ['staked', 'activating', 'deactivating', 'withdrawing', 'rewards'] as const

/** Above it a double skips integers. */
const DOUBLE = 1n << 53n

/** Tests that a position is exact: it changes by the requested amount, to the base unit, and shows digits that no double carries. */
export async function exactBalances(subject: Subject, check: Check, members: readonly Member[]): Promise<void> {
  const positions: Balance[] = []
  for (const action of subject.actions) positions.push(await positionOf(subject, (await subject.example(action)).player.wallet.address))
  for (const member of members) {
    const { converts, priced } = present(subject.options.examples[member.action], `an example of ${member.action}`)
    if (converts || priced) continue
    const sentence = `${member.action}: ${member.name} ${member.near} moves the position by just that`
    try {
      const [before, after] = await moved(subject, member)
      positions.push(after)
      const difference = total(after) - total(before)
      // It came in, went from one bucket to another, or went out.
      const just = [member.near, 0n, -member.near].includes(difference)
      check.ok(just, sentence, `what is staked, on its way or ready differs by ${difference}`)
    } catch (error) {
      check.fail(sentence, thrown(error))
    }
  }
  for (const name of BUCKETS) {
    const large = positions.map((position) => position[name] ?? 0n).filter((units) => units > DOUBLE)
    if (large.length === 0) continue
    const exact = large.some((units) => BigInt(Number(units)) !== units)
    check.ok(
      exact,
      `${name} shows digits that no double carries`,
      `${large[0]} base units, which a double carries: either the amount went through a Number on its way, or no example asks for one with all decimals`,
    )
  }
}

async function moved(subject: Subject, { action, name, decimals, near }: Member): Promise<readonly [Balance, Balance]> {
  const { player, body } = await subject.freshExample(action)
  const before = await positionOf(subject, player.wallet.address)
  await player.act(action, { ...body, [name]: formatAmount(near, decimals) })
  return [before, await positionOf(subject, player.wallet.address)]
}

function positionOf({ protocol, kit, direct }: Subject, address: string): Promise<Balance> {
  return protocol.balance(direct, kit.address(address))
}

function total({ staked, activating, deactivating, withdrawing }: Balance): bigint {
  return staked + (activating ?? 0n) + (deactivating ?? 0n) + (withdrawing ?? 0n)
}
