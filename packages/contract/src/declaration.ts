import type { AnyKit } from './kit.ts'
import { flawOfBuckets } from './ledger/buckets.ts'
import type { Protocol } from './protocol.ts'
import { SettingsError } from './settings-error.ts'

/** Longest time between two readings of a condition, in minutes: an epoch of the chain whose epochs are the longest, Solana. */
const MOST_MINUTES = 2880

/** Refuses a declaration that no host could serve. @throws SettingsError that says what does not fit */
export function refuseBadDeclaration<K extends AnyKit, Net>(protocol: Protocol<K, Net>): void {
  const refuse = (why: string) => {
    throw new SettingsError(`${protocol.name}: ${why}`)
  }
  if (!/^\/[a-z0-9-]+\/[a-z0-9-]+$/.test(protocol.prefix))
    refuse(`prefix "${protocol.prefix}" is not two kebab-case segments such as /evm-three/native.`)
  const { condition, conditionMinutes: minutes } = protocol
  if (minutes !== undefined && !(condition && Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_MINUTES))
    refuse(`conditionMinutes is ${minutes}; it says how often \`condition\` is asked, in whole minutes from 1 to ${MOST_MINUTES}.`)
  const flaw = protocol.book ? flawOfBuckets(protocol.book.buckets) : null
  if (flaw !== null) refuse(flaw)
  for (const [name, action] of Object.entries(protocol.actions)) {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) refuse(`action "${name}" is not a kebab-case word.`)
    if (name === 'prepare' || name === 'broadcast') refuse(`action "${name}" belongs to the kit.`)
    if (name === 'track') refuse(`action "${name}" belongs to every protocol whose kit has a life.`)
    if (name === 'inspect') refuse(`action "${name}" belongs to every protocol that has an intent.`)
    if (!(protocol.kit.signer in action.body))
      refuse(`action "${name}" has no member ${protocol.kit.signer} in its body, which names who signs.`)
    if (action.obstacles && !condition) refuse(`action "${name}" names obstacles, which only a protocol with a \`condition\` has.`)
    if (typeof action.effects !== 'function') refuse(`action "${name}" declares no effects; without them its bytes cannot be checked.`)
  }
}
