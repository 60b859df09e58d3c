import { createCheck } from '../check.ts'
import { actionOf } from '../present.ts'
import type { Group } from './group.ts'
import { journeys } from './journeys.ts'
import { state } from './state.ts'

/** Tests that every guard has refused something in a test: a guard that never refuses is useless. */
export const guards: Group = async (subject, check) => {
  const guarding = subject.actions.filter((name) => actionOf(subject.protocol, name).guard)
  const silent = () => guarding.filter((name) => !subject.guarded.has(name))
  // Run alone, what the other two groups would have shown is not known yet.
  if (silent().length > 0) await state(subject, createCheck())
  if (silent().length > 0) await journeys(subject, createCheck())
  check.ok(true, `${guarding.length} of ${subject.actions.length} actions have a guard`)
  for (const name of guarding)
    check.ok(
      subject.guarded.has(name),
      `${name}: its guard was seen to refuse a request`,
      'none of the options’ refusals and journeys for which it is the guard that refuses: add one, or leave the guard out',
    )
}
