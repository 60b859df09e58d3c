import { type Check, thrown } from '../check.ts'
import { withDigests } from '../digests.ts'
import { StepFailed } from '../player.ts'
import type { Subject } from '../subject.ts'

/** Plays the journeys of a position, step by step over HTTP, and compares every craft with the budget. */
export async function journeys(subject: Subject, check: Check): Promise<void> {
  check.ok(subject.options.journeys.length > 0, 'there is a journey')
  for (const journey of subject.options.journeys) {
    const own: Check = {
      ...check,
      ok: (condition, name, details) => check.ok(condition, `${journey.name}: ${name}`, details),
      equal: (actual, expected, name) => check.equal(actual, expected, `${journey.name}: ${name}`),
      fail: (name, details) => check.fail(`${journey.name}: ${name}`, details),
      tried: (number, what) => check.tried(number, `${what}, in ${journey.name},`),
    }
    try {
      await journey.run(withDigests(subject, await subject.player(own, true)))
      check.ok(true, `${journey.name}: it came to its end`)
    } catch (error) {
      // A step that was refused made its finding already.
      if (!(error instanceof StepFailed)) own.fail('it came to its end', thrown(error))
    }
  }
}
