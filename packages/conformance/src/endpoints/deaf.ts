import { membersOf } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import type { Answering, FamilyLife, Stage } from '../life/family.ts'
import { following } from '../life/following.ts'
import { setStage } from '../life/stage.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

/** An endpoint that has lost its peers. */
const DEAF = 'http://deaf.invalid'
/** Longer than it takes until a transaction that one endpoint alone has is sent to the other, in milliseconds. */
const PATIENCE_MS = 4 * 60_000

/** Checks that a transaction comes to the chain although one of two endpoints takes it, shows it as waiting, and passes it on to nobody. */
export async function passedOn(subject: Subject, check: Check, life: FamilyLife): Promise<void> {
  const { loss } = life
  const deaf = loss?.deaf ?? 'the driver of the family does not say how one answers then'
  if (loss && !loss.showsWaiting(membersOf(subject.direct.network)))
    return check.note(
      'no endpoint is deaf: nodes of this network do not show what waits, so that nobody can know which of them has a transaction',
    )
  if (!loss || typeof deaf === 'string') return check.note(`no endpoint is deaf: ${deaf}`)
  for (const [which, ...endpoints] of [
    ['first', DEAF, subject.world.rpcUrl],
    ['second', subject.world.rpcUrl, DEAF],
  ] as const) {
    const name = `a transaction comes to the chain when the ${which} of two endpoints passes on nothing`
    let stage: Stage | undefined
    try {
      stage = await setStage(subject, life, present(subject.actions[0], 'an action'))
      const { txHash, rpcUrl } = stage
      const service = await following(subject, loss, txHash, {
        endpoints,
        url: DEAF,
        fetch: nodeOf(subject, loss.sends, deaf(stage)),
      })
      try {
        const answer = await service.broadcast(stage)
        if (!check.ok(answer.status === 200, `${name}: it is taken`, `${answer.status} ${shown(answer.text)}`)) continue
        const landed = await service.until(PATIENCE_MS, () => life.has(rpcUrl, txHash))
        check.ok(landed, name, shown((await service.standing(txHash)).integrator.text))
      } finally {
        await service.close()
      }
    } catch (error) {
      check.fail(`${name}: the scene came to its end`, thrown(error))
    } finally {
      if (stage) await loss.after(stage)
    }
  }
}

/** Answers in the words of JSON: the calls that hand over a transaction by the node alone, and all others as the node makes the chain's answers. */
function nodeOf({ world, upstream, family }: Subject, sends: RegExp, node: Answering): (request: Request) => Promise<Response> {
  const liar = present(family.liar, 'a liar')
  return async (request) => {
    const body = await request.text()
    const parsed: unknown = JSON.parse(body)
    const passed = [parsed].flat().filter((each) => !sends.test(JSON.stringify(each)))
    const call = { path: new URL(request.url).pathname, body: JSON.stringify(passed) }
    const headers = { 'content-type': 'application/json' }
    const response = passed.length > 0 ? await upstream.fetch(world.rpcUrl, { method: 'POST', headers, body: call.body }) : null
    const texts = response ? liar.answers(call, await response.text()) : []
    const answers = [...(texts ?? [])]
    const whole = { path: call.path, body }
    const replies = liar
      .questions(whole)
      .map((question, index) => [node(question, sends.test(JSON.stringify([parsed].flat()[index])) ? '' : (answers.shift() ?? ''))])
    return new Response(liar.answer(whole, replies), { headers })
  }
}
