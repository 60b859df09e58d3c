import { differences, looksOf, termsOf } from '@svc/core/plugins'
import { explain } from '@svc/verify/intent'
import { type Check, shown, thrown } from '../check.ts'
import { createRecording } from '../lies/endpoint.ts'
import type { FamilyLife } from '../life/family.ts'
import { setStage } from '../life/stage.ts'
import { createClock, createWatcher } from '../life/watcher.ts'
import { readPosition } from '../position.ts'
import type { Subject } from '../subject.ts'

/** Looks until a transaction that is in a block is told to be in one. */
const MOST_LOOKS = 20
/** Nothing of a position takes longer on a local chain, even of one whose clock was moved. */
const YEAR_MS = 31_536_000_000

/** Tests that each action's transaction moved what its bytes promised, that the objects that it made are in the balance, and when the position changes next. */
export async function moved(subject: Subject, check: Check, life: FamilyLife): Promise<void> {
  for (const action of subject.actions)
    try {
      await one(subject, check, life, action)
    } catch (error) {
      check.fail(`${action}: what it moved is told`, thrown(error))
    }
}

async function one(subject: Subject, check: Check, life: FamilyLife, action: string): Promise<void> {
  const { kit, protocol, direct, client, family, options } = subject
  const { intent } = protocol
  const { unrecorded = [], unlisted = false } = options.examples[action] ?? {}
  const stage = await setStage(subject, life, action)
  await stage.send(stage)
  await stage.placed(stage)
  const bounds = kit.life?.bounds(stage.body, direct.network) ?? null
  const watched = { txHash: stage.txHash, bounds, keep: null, firstSeen: new Date(), accepted: true }
  const live = createRecording(subject, family.liar).live('chain')
  const watcher = createWatcher(subject, [live], watched, createClock())
  try {
    let outcome = await watcher.look()
    for (let looks = 1; outcome.look?.block == null && looks < MOST_LOOKS; looks++) outcome = await watcher.look()
    const { look, said: message } = outcome
    if (
      !check.ok(
        look !== null && ['included', 'final'].includes(look.status),
        `${action}: its transaction is told to be in a block`,
        message,
      )
    )
      return
    if (life.tellsOutcome === false) {
      check.equal(look?.moved ?? null, null, `${action}: what it moved is not told, since its node does not keep it`)
      return
    }
    if (!check.ok(look?.moved != null, `${action}: what it moved is told`, message) || !look?.moved) return
    const { moves, objectIds } = look.moved
    let named: readonly unknown[] = []
    if (intent?.family.explain && kit.sent) {
      const explained = await explain(intent, termsOf(protocol, direct.network), kit.sent(stage.body, direct.network).bytes)
      const promised = explained.moves
      named = explained.decoded.calls.flatMap(({ args }) => Object.values(args).filter((each) => typeof each === 'string'))
      check.equal(differences(promised, look.moved), [], `${action}: it moved what its bytes promise`)
      check.ok(
        promised.every(({ kind, asset }) => unrecorded.includes(kind) || moves.some((each) => each.kind === kind && each.asset === asset)),
        `${action}: what its bytes put no number to is told by its amount`,
        shown({ promised, moves }),
      )
    }
    check.ok(
      moves.every(({ amount }) => amount !== null && amount >= 0n),
      `${action}: every move has its amount`,
      shown(moves),
    )
    const { objects } = readPosition((await client.get(`/staking-balance/${stage.wallet.address}`)).json, kit.decimals)
    const ids = (objects ?? []).map(({ id }) => id)
    if (unlisted) {
      const argumentText = JSON.stringify(named)
      check.ok(
        objectIds.length > 0 && objectIds.every((id) => argumentText.includes(`"${id}"`)),
        `${action}: what it made is named by its bytes`,
        objectIds,
      )
    } else {
      check.equal(
        objectIds.filter((id) => !ids.includes(id)),
        [],
        `${action}: what it made is in the balance by the same name`,
      )
    }
    await next(subject, check, action, stage.wallet.address)
  } finally {
    await watcher.close()
  }
}

/** Checks when the position changes next by itself: not before now, and not at all where nothing waits. */
async function next({ protocol, direct, kit }: Subject, check: Check, action: string, address: string): Promise<void> {
  const now = Date.now()
  const { balance, due } = await looksOf(protocol, direct, () => []).position(kit.address(address))
  const waits = (balance.activating ?? 0n) > 0n || (balance.deactivating ?? 0n) > 0n
  if (!waits) check.equal(due, null, `${action}: the position does not change by itself`)
  else if (protocol.due)
    check.ok(
      due !== null && due.getTime() > now && due.getTime() < now + YEAR_MS,
      `${action}: it is told when the position changes next`,
      due,
    )
}
