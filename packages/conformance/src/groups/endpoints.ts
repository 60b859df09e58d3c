import type { Check } from '../check.ts'
import { type Ask, type AskOutcome, asksOf } from '../endpoints/asks.ts'
import { passedOn } from '../endpoints/deaf.ts'
import { type Scene, setScene } from '../endpoints/scene.ts'
import { statesOf } from '../endpoints/states.ts'
import type { Subject } from '../subject.ts'

/** Code with which a status says that it takes the word of two, and one of them says itself that it cannot know. */
const ONE_VOICE = 'ONE_VOICE'
/** Facts of a status that take the word of two. */
const OF_TWO: ReadonlySet<string> = new Set(['status', 'finality', 'certainty'])

/**
 * Tests two endpoints of one chain, of which one is well, and the other is honest and knows less: it is behind, has forgotten, keeps no index, was restarted, or does not
 * serve a call. In either order callers get what the healthy one alone tells, and a craft or a balance takes one wave more at most. A transaction that a deaf endpoint took
 * reaches the chain nevertheless.
 */
export async function endpoints(subject: Subject, check: Check): Promise<void> {
  const { family, kit } = subject
  const { life, liar } = family
  if (!kit.life)
    return check.note(
      `the kit of the family ${family.family} tells nothing of the life of its transactions, so that no pair of endpoints is tried`,
    )
  if (!liar || !life)
    return check.note(`the driver of the family ${family.family} has no liar, or no scenes, so that no pair of endpoints is tried`)
  const scene = await setScene(subject, life, liar)
  const alone: (readonly [Ask, AskOutcome])[] = []
  for (const ask of asksOf(subject, scene)) {
    const right = await usual(ask, scene)
    if (check.ok(ask.isWhole(right), `${ask.name} is told by the endpoint that is well`, right.said || [...right.facts]))
      alone.push([ask, right])
  }
  const calls = new Set(alone.flatMap(([, right]) => [...right.calls]))
  const { states, notes } = statesOf(scene, life, calls)
  for (const note of notes) check.note(note)
  if (!scene.comparesHeads)
    check.note(
      'the family tells no head (`send.saw`), or no readings (`agrees`), so that a first endpoint which is behind the other is believed in crafts and balances',
    )
  let pairs = 0
  for (const [ask, right] of alone)
    for (const state of states) {
      if (state.lacks !== undefined && !right.calls.has(state.lacks)) continue
      for (const [which, ...pair] of [
        ['first', state.endpoint, scene.healthy],
        ['second', scene.healthy, state.endpoint],
      ] as const) {
        if (which === 'first' && state.isBehind && !ask.isStatus && !scene.comparesHeads) continue
        pairs++
        const wrong = wrongOf(ask, right, await ask.on(pair, which === 'first' && state.isBehind))
        if (wrong !== null) check.fail(`${ask.name}, when the ${which} of two endpoints ${state.name}`, wrong)
      }
    }
  check.tried(pairs, 'pairs of endpoints')
  await passedOn(subject, check, life)
}

/** What the endpoint that is well tells, without what is made anew each time, such as a key. */
async function usual(ask: Ask, { healthy }: Scene): Promise<AskOutcome> {
  const [first, again] = [await ask.on([healthy]), await ask.on([healthy])]
  return { ...first, facts: new Map([...first.facts].filter(([path, text]) => again.facts.get(path) === text)) }
}

/** @returns what is not as the endpoint that is well tells it alone; or null */
function wrongOf(ask: Ask, right: AskOutcome, given: AskOutcome): string | null {
  if (given.status !== right.status || given.said !== right.said)
    return `${given.status} ${given.said}, and not ${right.status} ${right.said}`
  // Whatever the other one says of itself: that a landed transaction is final takes the word of two.
  const isShort = ask.isStatus
  const isOneVoice = isShort && given.facts.get('status') !== 'final' && given.facts.get('error') === ONE_VOICE
  const wrong = [...right.facts].find(
    ([path, text]) => given.facts.get(path) !== text && !(isShort && OF_TWO.has(path)) && !(isOneVoice && path === 'error'),
  )
  if (wrong) return `${wrong[0]} is ${given.facts.get(wrong[0])}, and not ${wrong[1]}`
  if (isShort && !['included', 'final'].includes(String(given.facts.get('status')))) return `status is ${given.facts.get('status')}`
  return ask.isCounted && given.waves > right.waves + 1
    ? `it takes ${given.waves} waves, and the endpoint that is well ${right.waves}`
    : null
}
