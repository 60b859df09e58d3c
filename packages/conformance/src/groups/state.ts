import { type Check, shown, thrown } from '../check.ts'
import type { Subject } from '../subject.ts'

/** Tests preconditions: a request that the chain's state does not allow is refused before anybody signs, with a status, a code and a sentence. */
export async function state(subject: Subject, check: Check): Promise<void> {
  const { refusals } = subject.options
  check.ok(refusals.length > 0, 'there is a refusal')
  for (const { name, setup, action, body, status = 400, code } of refusals) {
    const player = await subject.player()
    try {
      await setup?.(player)
    } catch (error) {
      check.fail(`${name}: its state can be set up`, thrown(error))
      continue
    }
    const answer = await player.craft(action, body)
    const ok = answer.status === status && answer.code === code && answer.sentence.length > 10
    check.ok(ok, `${name}: ${action} answers ${status} ${code}`, `${answer.status} ${shown(answer.text)}`)
  }
}
