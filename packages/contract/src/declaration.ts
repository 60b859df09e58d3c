import type { AnyKit } from './kit.ts'
import { flawOfBuckets } from './ledger/buckets.ts'
import type { Protocol } from './protocol.ts'
import { SettingsError } from './settings-error.ts'

/** Longest time between two readings of a condition, in minutes: an epoch of the chain whose epochs are the longest, Solana. */
const MOST_MINUTES = 2880
/** Minutes of a day, and the shortest time between two rounds of digests: those that are due within ten minutes are compared together. */
const DAY_MINUTES = 1440
const LEAST_ROUND_MINUTES = 20
/** Bounds of the interval of a search for changes from elsewhere, in seconds. */
const [LEAST_SECONDS, MOST_SECONDS] = [10, 3600]

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
  const { digests, digestMinutes: round = DAY_MINUTES, stirrings } = protocol
  if (protocol.digestMinutes !== undefined && !(digests && round >= LEAST_ROUND_MINUTES && DAY_MINUTES % round === 0))
    refuse(
      `digestMinutes is ${round}; it says how often \`digests\` is asked, in whole minutes from ${LEAST_ROUND_MINUTES} that divide a day.`,
    )
  const { everySeconds: every = LEAST_SECONDS } = stirrings ?? {}
  if (!(Number.isInteger(every) && every >= LEAST_SECONDS && every <= MOST_SECONDS))
    refuse(
      `stirrings.everySeconds is ${every}; it is the interval of the search, in whole seconds from ${LEAST_SECONDS} to ${MOST_SECONDS}.`,
    )
  const { searchSeconds: rarely = every } = stirrings?.feed ?? {}
  if (!(Number.isInteger(rarely) && rarely >= every && rarely <= MOST_SECONDS))
    refuse(
      `stirrings.feed.searchSeconds is ${rarely}; it is the interval of the search while an endpoint pushes, in whole seconds from everySeconds, ${every}, to ${MOST_SECONDS}.`,
    )
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
