import { type Check, shown, thrown } from '../check.ts'
import type { FamilyLife, Scene, Stage } from '../life/family.ts'
import { type Follower, follow } from '../life/http.ts'
import { setStage } from '../life/stage.ts'
import { trials } from '../life/trials.ts'
import { isNegative } from '../life/verdict.ts'
import { createClock } from '../life/watcher.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'
import { fresh } from './life-fresh.ts'
import { moved } from './life-moved.ts'
import { resent } from './life-resend.ts'

/**
 * Tests a transaction after its broadcast: each scene of the family is played with a fresh wallet, and the running service asked while its clock advances. The service
 * reports what happened, and never that a transaction cannot land which then does, whatever its endpoints know or say: one that is behind, one that has forgotten, one that
 * lies.
 */
export async function life(subject: Subject, check: Check): Promise<void> {
  const { family, kit, protocol } = subject
  const { life: played } = family
  if (!kit.life) {
    check.note(`the kit of the family ${family.family} tells nothing of the life of its transactions`)
    return
  }
  if (!played) {
    check.note(`the driver of the family ${family.family} has no scenes, so that no life is played`)
    return
  }
  const clock = createClock()
  const service = await subject.serve({ now: clock.now })
  try {
    const { byWallet } = kit.life
    const follower = await follow(service, clock, { ...played, ...(byWallet ? { byWallet } : {}) })
    for (const scene of played.scenes) await play(subject, check, played, scene, follower)
    check.tried(played.scenes.length, 'scenes')
  } finally {
    await service.close()
  }
  await resent(subject, check, played)
  if (protocol.moved) await moved(subject, check, played)
  else check.note('the plugin does not tell what a transaction moved')
  await fresh(subject, check)
}

async function play(subject: Subject, check: Check, life: FamilyLife, scene: Scene, follower: Follower): Promise<void> {
  const { name } = scene
  let stage: Stage | undefined
  try {
    const own = await setStage(subject, life, present(subject.actions[0], 'an action'))
    const set = { ...own, ...(await scene.instead?.(own)) }
    stage = set
    await scene.before?.(set)
    const trial = trials(subject, life, scene, set)
    await follower.learn(scene, set)
    await trial.before()
    await scene.play(set)
    const truth = await trial.after(check)
    if (truth === null) return
    const answers = await follower.until(set.txHash, [truth])
    const flaws = answers.flatMap(({ flaw }) => flaw ?? [])
    check.equal(flaws, [], `${name}: every answer of the service fits its schema`)
    const last = present(answers.at(-1), 'an answer')
    const messages = [...new Set(answers.map(({ said: sentence }) => sentence))]
    check.ok(last.status === truth, `${name}: the service tells ${truth}`, shown(messages))
    const early = answers
      .filter(({ status }) => status !== null && isNegative({ status }) && status !== truth)
      .map(({ said: message }) => message)
    check.equal(early, [], `${name}: nothing is told to be impossible that is not`)
    if (isNegative({ status: truth })) await stays(subject, check, life, name, set)
  } catch (error) {
    check.fail(`${name}: the scene came to its end`, thrown(error))
  } finally {
    if (stage)
      await scene.after?.(stage).catch((error: unknown) => check.fail(`${name}: the chain is as it was before the scene`, thrown(error)))
  }
}

/** Tries what was told to be impossible: the same bytes, straight to the chain. */
async function stays({ world }: Subject, check: Check, life: FamilyLife, name: string, stage: Stage): Promise<void> {
  const isTaken = await stage.send(stage).then(
    () => true,
    () => false,
  )
  // A chain that has taken it gets the time to put it into a block.
  if (isTaken) await stage.placed(stage).catch(() => undefined)
  check.equal(await life.has(world.rpcUrl, stage.txHash), false, `${name}: its bytes, sent once more, do not land`)
}
