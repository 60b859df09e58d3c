import type { PepperCount } from '../db/store.ts'
import { type Peppers, pepperFingerprint } from './value.ts'

/** Verdict on the peppers of a config for the existing credentials; at most one of the two members is given. */
interface PepperVerdict {
  /** None of the credentials would be accepted: almost certainly these are not the peppers that are meant. */
  readonly refusal?: string
  /** Some would not be. */
  readonly warning?: string
}

/** Fingerprints that a sentence names; an installation has one or two. */
const MOST_NAMED = 5

/** Compares the peppers with the fingerprints kept with each credential. Without this check, a service with a wrong pepper would seem to run well and refuse everybody. */
export function judgePeppers(counts: readonly PepperCount[], peppers: Peppers): PepperVerdict {
  const ours = peppers.map(pepperFingerprint)
  const entries = counts.filter(({ pepper }) => pepper !== null)
  const foreign = entries.filter(({ pepper }) => pepper !== null && !ours.includes(pepper))
  if (foreign.length === 0) return {}
  const sum = (of: readonly PepperCount[]) => of.reduce((total, { count }) => total + count, 0)
  const samples = foreign.slice(0, MOST_NAMED).map(({ pepper }) => pepper)
  const theirs = [...samples, ...(foreign.length > MOST_NAMED ? [`and ${foreign.length - MOST_NAMED} more`] : [])].join(', ')
  const mend = 'List the former one behind the present one in peppers.'
  if (foreign.length === entries.length)
    return {
      refusal:
        `peppers: none of the ${sum(entries)} API keys and management tokens in the database was made with a pepper of this config (fingerprint ` +
        `${ours.join(', ')}; theirs ${theirs}), so every one of them would be refused. ${mend} If that one is lost, revoke them and make new ones.`,
    }
  return {
    warning:
      `peppers: ${sum(foreign)} of ${sum(entries)} API keys and management tokens are refused, because they were made with a pepper that this ` +
      `config does not list (fingerprint ${theirs}; svc keys show names each one's). ${mend}`,
  }
}
