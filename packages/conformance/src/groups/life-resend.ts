import { membersOf } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import type { Answer } from '../http.ts'
import { adviceIn } from '../life/advice.ts'
import type { FamilyLife, Loss, Stage } from '../life/family.ts'
import { type Following, following } from '../life/following.ts'
import { setStage } from '../life/stage.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

const MINUTE_MS = 60_000
/** Longer than it takes until it is told that no node holds a transaction, and until it is sent again. */
const PATIENCE_MS = 4 * MINUTE_MS
/** Longer than the pause between the first two times that a transaction is sent again. */
const LONG_MS = 12 * MINUTE_MS

/** Means of one scene. */
interface Means {
  readonly check: Check
  readonly life: FamilyLife
  readonly loss: Loss
  readonly stage: Stage
  readonly service: Following
  /** Whether it can be known that no node holds a transaction. */
  readonly shows: boolean
}

interface LossScene {
  readonly name: string
  /** True where it can never land in the end, so that another transaction may be advised from then on, which the scene looks at by itself. */
  readonly ends?: true
  play(means: Means): Promise<void>
}

/**
 * Tests a transaction that an endpoint took and that no node has any more. As long as it can land, nobody is advised to make another one; whoever sends the same bytes
 * again, its caller or the service, gets it to land, once; and one that can never land is refused, with the reason.
 */
export async function resent(subject: Subject, check: Check, life: FamilyLife): Promise<void> {
  const { loss } = life
  if (!loss) {
    check.note(
      `the driver of the family ${subject.family.family} says no way in which nodes lose a transaction, so that none is sent again`,
    )
    return
  }
  const scenes = loss.rival ? [...SCENES, BESIDE_A_RIVAL] : SCENES
  for (const scene of scenes) await play(subject, check, life, loss, scene)
  check.tried(scenes.length, 'scenes of a transaction that every node lost')
}

async function play(subject: Subject, check: Check, life: FamilyLife, loss: Loss, scene: LossScene): Promise<void> {
  const { name } = scene
  let stage: Stage | undefined
  let service: Following | undefined
  try {
    stage = await setStage(subject, life, present(subject.actions[0], 'an action'))
    service = await following(subject, loss, stage.txHash)
    await scene.play({ check, life, loss, stage, service, shows: loss.showsWaiting(membersOf(subject.direct.network)) })
    check.equal([...new Set(service.payloads)].length, 1, `${name}: nothing but the very same bytes was sent`)
    if (!scene.ends) check.equal(adviceOf(service), [], `${name}: nobody is advised to make another one`)
  } catch (error) {
    check.fail(`${name}: the scene came to its end`, thrown(error))
  } finally {
    await service?.close()
    if (stage)
      await loss.after(stage).catch((error: unknown) => check.fail(`${name}: the chain is as it was before the scene`, thrown(error)))
  }
}

const SENT_AGAIN: LossScene = {
  name: 'every node lost it',
  async play(means) {
    const { check, service, stage, shows, life } = means
    await lose(means)
    const { integrator } = await service.standing(stage.txHash)
    check.equal(statusOf(integrator), 'pending', `${this.name}: it is told to be pending`)
    if (shows) {
      const resends = await service.until(PATIENCE_MS, async () => (await service.resends()).length > 0)
      if (!check.ok(resends, `${this.name}: the service sends it again by itself`)) return
    } else {
      await service.until(PATIENCE_MS, async () => false)
      check.equal(service.payloads.length, 1, `${this.name}: where nodes do not show what waits, the service sends nothing by itself`)
      check.equal(statusOf((await service.standing(stage.txHash)).integrator), 'pending', `${this.name}: it stays pending`)
      if (!accepted(check, await service.broadcast(stage), stage, `${this.name}: its caller sends it again`)) return
    }
    const log = await service.resends()
    check.equal(
      log.map(({ tx_hash: hash, status }) => ({ hash, status })),
      shows ? [{ hash: stage.txHash, status: 200 }] : [],
      `${this.name}: what the service sent again is on record, and how it ended`,
    )
    await landing(means, this.name)
    check.equal(service.payloads.length, 2, `${this.name}: it was sent twice in all`)
    await service.until(LONG_MS, async () => false)
    check.equal(service.payloads.length, 2, `${this.name}: what has landed is not sent again`)
    accepted(check, await service.broadcast(stage), stage, `${this.name}: it is sent once more when it is final`)
    check.equal(service.payloads.length, 2, `${this.name}: then it is answered without asking the chain`)
    check.ok(await life.has(stage.rpcUrl, stage.txHash), `${this.name}: it is in a block`)
  },
}

const BY_ITS_CALLER: LossScene = {
  name: 'every node lost it, and its caller was sooner',
  async play(means) {
    const { check, service, stage } = means
    await lose(means)
    if (!accepted(check, await service.broadcast(stage), stage, `${this.name}: it is sent again`)) return
    await landing(means, this.name)
    await service.until(LONG_MS, async () => false)
    check.equal(await service.resends(), [], `${this.name}: the service has nothing to send`)
  },
}

const UNANSWERED: LossScene = {
  name: 'no node answered, and none has it',
  async play(means) {
    const { check, service, stage, loss } = means
    service.road = 'broken'
    await loss.before(stage)
    const answer = await service.broadcast(stage)
    check.ok(answer.status >= 500, `${this.name}: the broadcast is answered by no verdict`, shown(answer.text))
    check.equal(membersOf(answer.json).tx_hash, stage.txHash, `${this.name}: the answer names its hash`)
    await loss.after(stage)
    service.road = 'open'
    const sends = service.payloads.length
    await service.until(PATIENCE_MS, async () => false)
    check.equal(service.payloads.length, sends, `${this.name}: what no node took is not sent again by the service`)
    const { integrator } = await service.standing(stage.txHash)
    check.ok(['unknown', 'pending'].includes(statusOf(integrator)), `${this.name}: it has not ended`, shown(integrator.text))
    if (!accepted(check, await service.broadcast(stage), stage, `${this.name}: its caller sends it again`)) return
    await landing(means, this.name)
  },
}

const OVER: LossScene = {
  name: 'every node lost it, and it can never land any more',
  ends: true,
  async play(means) {
    const { check, service, stage, loss, life } = means
    await lose(means)
    await loss.spoil(stage)
    const ended = await service.until(PATIENCE_MS, async () => (await endOf(means)) !== null)
    const advice = adviceOf(service)
    check.ok(ended, `${this.name}: that is told`, shown(service.answers.at(-1) ?? ''))
    check.equal(await endOf(means), loss.end, `${this.name}: its end is ${loss.end}`)
    check.equal(advice, [], `${this.name}: no other one is advised before its end is known`)
    await service.until(LONG_MS, async () => false)
    check.equal(await service.resends(), [], `${this.name}: the service does not send it again`)
    const refusal = await service.broadcast(stage)
    const { code, tx_hash: hash } = membersOf(refusal.json)
    check.equal(
      { status: refusal.status, code, hash },
      { status: 400, code: `TRANSACTION_${loss.end.toUpperCase()}`, hash: stage.txHash },
      `${this.name}: whoever sends it again is refused, with its end`,
    )
    check.ok(/can never land/.test(refusal.sentence), `${this.name}: the refusal says so`, refusal.sentence)
    check.equal(service.payloads.length, 1, `${this.name}: no node is asked to take it`)
    check.equal(await life.has(stage.rpcUrl, stage.txHash), false, `${this.name}: it is in no block`)
  },
}

const BESIDE_A_RIVAL: LossScene = {
  name: 'every node lost it, and then its rival too',
  async play(means) {
    const { check, service, stage, loss } = means
    const rival = present(loss.rival, 'a rival')
    await lose(means)
    await rival.waits(stage)
    const refusal = await service.broadcast(stage)
    check.equal(refusal.status, 400, `${this.name}: while the rival waits it is refused`)
    check.equal(membersOf(refusal.json).tx_hash, stage.txHash, `${this.name}: the refusal names its hash`)
    const { integrator } = await service.standing(stage.txHash)
    check.equal(statusOf(integrator), 'pending', `${this.name}: it has not ended`)
    await rival.gone(stage)
    if (!accepted(check, await service.broadcast(stage), stage, `${this.name}: once the rival is gone`)) return
    await landing(means, this.name)
  },
}

const SCENES: readonly LossScene[] = [SENT_AGAIN, BY_ITS_CALLER, UNANSWERED, OVER]

/** Has an endpoint take the transaction, and every node lose it. */
async function lose({ check, service, stage, loss, life }: Means): Promise<void> {
  service.road = 'swallowed'
  await loss.before(stage)
  accepted(check, await service.broadcast(stage), stage, 'it is broadcast')
  await loss.drop(stage)
  service.road = 'open'
  // The first look, which is made at once.
  await service.standing(stage.txHash)
  check.equal(await life.has(stage.rpcUrl, stage.txHash), false, 'it is in no block')
}

/** Follows it into a block and to its end. */
async function landing(means: Means, name: string): Promise<void> {
  const { check, service, stage, loss } = means
  await stage.placed(stage)
  await loss.bury?.(stage)
  await service.until(PATIENCE_MS, async () => (await endOf(means)) !== null)
  const { operator } = await service.standing(stage.txHash)
  check.equal(await endOf(means), 'final', `${name}: it lands, and its row ends so`)
  const events = (membersOf(operator.json).history as readonly unknown[] | undefined)?.map((step) => membersOf(step).event) ?? []
  check.equal(events.filter((event) => event === 'transaction.final').length, 1, `${name}: that it is final is told once`)
}

/** Status of a transaction that has ended, by its row; null while it has not. */
async function endOf({ service, stage }: Means): Promise<unknown> {
  const { operator } = await service.standing(stage.txHash)
  const { status, ended_at: endedAt } = membersOf(operator.json)
  return endedAt === null ? null : status
}

function adviceOf({ answers }: Following): readonly string[] {
  return answers.filter((answer) => adviceIn(answer) !== null)
}

function accepted(check: Check, answer: Answer, { txHash }: Stage, name: string): boolean {
  const isTaken = answer.status === 200 && membersOf(answer.json).tx_hash === txHash
  return check.ok(isTaken, `${name}: it is taken`, `${answer.status} ${shown(answer.text)}`)
}

function statusOf({ json }: Answer): string {
  return String(membersOf(json).status)
}
