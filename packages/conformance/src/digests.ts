import type { Balance } from '@svc/contract'
import { looksOf } from '@svc/core/plugins'
import { count } from './budget.ts'
import { type Check, shown, thrown } from './check.ts'
import type { AnyContext } from './direct.ts'
import { whileFailing } from './failing.ts'
import type { Player } from './player.ts'
import type { Subject } from './subject.ts'

/** A position, and the digest that was told of it after the last step. */
interface Told {
  readonly digest: string
  readonly balance: Balance
  /** True if the position will change by itself at a known moment, at which a service reads it whole and needs no digest. */
  readonly isComing: boolean
}

/**
 * Checks the digests of several wallets that are read together: each equals the one that the wallet's balance tells, also for a wallet that has nothing; they cost fewer
 * calls than the balances; and a failing chain leads to an error or to no digest, but never to a wrong one. A protocol without digests must tell none with its balances.
 */
export async function digestsOfMany(subject: Subject, check: Check, addresses: readonly string[]): Promise<void> {
  const { protocol, direct, upstream, kit } = subject
  const wallets = [...new Set(addresses.map((address) => kit.address(address)))]
  const balances = new Map<string, Balance>()
  const whole = await upstream.measure(async () => {
    for (const address of wallets) balances.set(address, await protocol.balance(direct, address))
  })
  const { digests } = protocol
  if (!digests) {
    const digestRows = [...balances.values()].filter(({ digest }) => digest !== undefined)
    check.equal(digestRows.length, 0, 'without digests of many a balance tells none')
    return
  }
  const expected = Object.fromEntries([...balances].map(([address, { digest }]) => [address, digest]))
  const positions = [...balances].map(([address, balance]) => ({ address, objects: idsOf(balance) }))
  const read = async (ctx: AnyContext) => Object.fromEntries(await digests(ctx, positions))
  try {
    await read(direct)
    const { result, usage } = await upstream.measure(() => read(direct))
    check.equal(result, expected, 'the digests of many are those of their balances')
    const calls = `${count(usage.calls, 'call')} for ${count(positions.length, 'wallet')}, which cost ${whole.usage.calls} one by one`
    check.ok(usage.calls < whole.usage.calls, 'and cost fewer calls than to read each whole', calls)
  } catch (error) {
    check.fail('the digests of many are read', thrown(error))
    return
  }
  const fresh = async () => {
    const ctx = subject.connect()
    try {
      return await read(ctx)
    } finally {
      await protocol.kit.close?.(ctx.client)
    }
  }
  const flawOf = (answers: Readonly<Record<string, string>>) => {
    const wrong = Object.entries(answers).filter(([address, digest]) => digest !== expected[address])
    return wrong.length === 0 ? null : `told ${shown(wrong)}`
  }
  await whileFailing(subject, check, 'a digest that cannot be read is an error or left out, and never a wrong one', fresh, flawOf)
}

/** Wraps a player so that each of its steps is followed by a check of its wallet's digest: a step that changes the position changes the digest, and any other step leaves it as it was. */
export function withDigests(subject: Subject, player: Player): Player {
  const { protocol, kit, connect } = subject
  const { digests } = protocol
  if (!digests) return player
  const { check } = player
  const address = kit.address(player.wallet.address)
  let last: Told | undefined

  /**
   * Reads the position and its digests over a new connection, which remembers no earlier step.
   *
   * @param earlier the balance after the step before, by whose objects a service asks for the digest
   * @returns `hinted`: the digest by those objects; `whole`: the digest by the objects that the position has now
   */
  async function look(earlier: Balance | undefined) {
    const ctx = connect()
    try {
      const { balance, due } = await looksOf(protocol, ctx, () => []).position(address)
      const digestOf = async (objects: readonly string[]) => (await digests?.(ctx, [{ address, objects }]))?.get(address)
      return { balance, isComing: due !== null, hinted: await digestOf(idsOf(earlier ?? balance)), whole: await digestOf(idsOf(balance)) }
    } finally {
      await protocol.kit.close?.(ctx.client)
    }
  }

  /** Checks the digest after a step. @param expects tells whether the digest must have changed since the step before (true), must be the same (false), or may be either (null) */
  async function looked(step: string, expects: (before: Told, balance: Balance) => boolean | null): Promise<void> {
    const { balance, isComing, hinted, whole } = await look(last?.balance)
    const { digest } = balance
    if (typeof digest !== 'string' || typeof hinted !== 'string') {
      check.fail(`after ${step} a digest is told`, shown({ digest, hinted }))
      return
    }
    check.equal(whole, digest, `after ${step} the digest of many is that of the balance`)
    const expected = last && expects(last, balance)
    const name = expected
      ? 'which has changed the position, its digest is another one'
      : 'which has changed nothing of it, its digest is the same'
    if (last && typeof expected === 'boolean')
      check.ok((hinted !== last.digest) === expected, `after ${step}, ${name}`, `${shown(last.digest)}, ${shown(hinted)}`)
    last = { digest, balance, isComing }
  }

  return {
    ...player,
    async act(action, members, waves) {
      if (!last) await looked('nothing', () => false)
      const acted = await player.act(action, members, waves)
      // A claim of rewards, which go on growing, may be told and need not be.
      await looked(action, (before, balance) => made(before.balance) !== made(balance) || null)
      return acted
    },
    async advance(by) {
      const outcome = await player.advance(by)
      if (last) await looked(`advance ${shown(by)}`, ({ isComing }) => (isComing ? null : false))
      return outcome
    },
  }
}

/** Describes a position: all but rewards, and the place of each part. */
function made({ staked, activating, deactivating, withdrawing, objects }: Balance): string {
  const stays = staked + (activating ?? 0n)
  return shown([stays, (deactivating ?? 0n) + (withdrawing ?? 0n), (objects ?? []).map(({ id }) => id).sort()], 100_000)
}

function idsOf({ objects }: Balance): readonly string[] {
  return (objects ?? []).map(({ id }) => id)
}
