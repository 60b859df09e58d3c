import { membersOf } from '@svc/contract'
import { type Check, shown, thrown } from '../check.ts'
import type { Answering, FamilyLife, Loss, Stage } from '../life/family.ts'
import { following } from '../life/following.ts'
import { setStage } from '../life/stage.ts'
import { present } from '../present.ts'
import type { Subject } from '../subject.ts'

/** An endpoint that takes transactions, and tells nobody. */
const DEAF = 'http://deaf.invalid'
/** Longer than it takes until a transaction that one endpoint alone took is sent to the other, in milliseconds. */
const PATIENCE_MS = 4 * 60_000

/** Checks that a transaction reaches the chain although one of two endpoints takes it, shows it as waiting where nodes of the network do, and passes it on to nobody. */
export async function passedOn(subject: Subject, check: Check, life: FamilyLife): Promise<void> {
  const { loss } = life
  if (!loss || !(loss.deaf || loss.taken))
    return check.note('no endpoint is deaf: the driver of the family does not say how one answers then')
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
        fetch: loss.deaf ? nodeOf(subject, loss, loss.deaf(stage)) : takerOf(subject, loss, txHash),
      })
      try {
        const answer = await service.broadcast(stage)
        if (!check.ok(answer.status === 200, `${name}: it is taken`, `${answer.status} ${shown(answer.text)}`)) continue
        const landed = await service.until(PATIENCE_MS, () => life.has(rpcUrl, txHash))
        check.ok(landed, name, shown((await service.standing(txHash)).integrator.text))
        const [again, ...more] = await service.resends()
        check.equal(
          [again?.status, again?.tx_hash, more.length],
          which === 'first' ? [200, txHash, 0] : [undefined, undefined, 0],
          `${name}: it is sent again once where the deaf one was the first to get it, and no refusal is told`,
        )
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
function nodeOf(
  { world, upstream, family, direct }: Subject,
  { sends, showsWaiting }: Loss,
  node: Answering,
): (request: Request) => Promise<Response> {
  const shows = showsWaiting(membersOf(direct.network))
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
    const replies = liar.questions(whole).map((question, index) => {
      const isSent = sends.test(JSON.stringify([parsed].flat()[index]))
      const answer = isSent ? '' : (answers.shift() ?? '')
      return [isSent || shows ? node(question, answer) : answer]
    })
    return new Response(liar.answer(whole, replies), { headers })
  }
}

/** An endpoint of a chain whose nodes answer when a transaction was executed: it says so, and it was not. */
function takerOf({ world, upstream }: Subject, { sends, taken }: Loss, txHash: string): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = new Uint8Array(await request.arrayBuffer())
    const text = Buffer.from(body).toString('latin1')
    const { pathname } = new URL(request.url)
    if (!sends.test(`${pathname} ${text}`))
      return upstream.fetch(`${world.rpcUrl}${pathname}`, { method: 'POST', headers: request.headers, body })
    const answer = present(taken, 'a node that answers when a transaction was executed')(txHash, text)
    return new Response(answer.body, { headers: { 'content-type': answer.type } })
  }
}
